import { describe, expect, it } from 'vitest';
import { revocationUrlOf, revocationUrlProblem, type OpenListeners } from './public-urls.ts';
import { parseAddress } from './listeners.ts';

const listeners = (http: string, https: string): OpenListeners => ({
  http: parseAddress(http),
  https: parseAddress(https),
  side: [],
});
const none = { publicUrl: undefined, revocationUrl: undefined, trustedProxies: [] };

describe('the URL for CRLs, OCSP and CA certificates', () => {
  it.each([
    ['what the setting says', { publicUrl: 'https://ca.example', revocationUrl: 'http://crl.example' }, 'http://crl.example'], // prettier-ignore
    ['an http public URL', { publicUrl: 'http://ca.example:8080/pki' }, 'http://ca.example:8080/pki'],
    ['without a public URL the plain listener', {}, 'http://127.0.0.1:8080'],
    ['the plain listener under the name of an https public URL', { publicUrl: 'https://ca.example' }, 'http://ca.example:8080', '0.0.0.0:8080', '0.0.0.0:443'], // prettier-ignore
    ['the same with a port and an IPv6 address', { publicUrl: 'https://[2001:db8::1]:8443' }, 'http://[2001:db8::1]', '[::]:80', '[::]:8443'], // prettier-ignore
    ['the public URL where the plain listener is on loopback', { publicUrl: 'https://ca.example' }, 'https://ca.example', '127.0.0.1:8080', '0.0.0.0:443'], // prettier-ignore
    ['the public URL where there is no plain listener', { publicUrl: 'https://ca.example' }, 'https://ca.example', 'off', '0.0.0.0:443'], // prettier-ignore
    ['the public URL where another port is mapped to the listener', { publicUrl: 'https://ca.example' }, 'https://ca.example', '0.0.0.0:8080', '0.0.0.0:8443'], // prettier-ignore
    ['the public URL where a proxy ends TLS', { publicUrl: 'https://ca.example', trustedProxies: ['192.0.2.1'] }, 'https://ca.example', '0.0.0.0:80', '0.0.0.0:443'], // prettier-ignore
  ])('is %s', (_what, values, expected, http = '127.0.0.1:8080', https = '127.0.0.1:8443') => {
    expect(revocationUrlOf({ ...none, ...values }, listeners(http, https))).toBe(expected);
  });

  it.each([
    ['https://ca.example', /RFC 5280 §8.* --revocation-url/],
    ['http://127.0.0.1:8080', /only this machine can reach.* --revocation-url/],
    ['https://localhost:8443', /only this machine can reach/],
    ['http://[::1]:8080', /only this machine can reach/],
  ])('produces a warning if it is %s', (url, message) => {
    expect(revocationUrlProblem(url)).toMatch(message);
  });

  it('produces no warning if it is a reachable http URL', () => {
    expect(revocationUrlProblem('http://crl.example')).toBeUndefined();
  });
});
