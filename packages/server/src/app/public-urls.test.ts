import { describe, expect, it } from 'vitest';
import { revocationUrlOf, revocationUrlProblem, scepUrlOf, type OpenListeners } from './public-urls.ts';
import { parseAddress } from './listeners.ts';

const listeners = (http: string, https: string, scepHttps = 'off'): OpenListeners => ({
  http: parseAddress(http),
  https: parseAddress(https),
  scepHttps: parseAddress(scepHttps),
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

describe('the URL for SCEP devices', () => {
  const PUBLIC = { publicUrl: 'https://ca.example' };
  const PROXY = { ...PUBLIC, trustedProxies: ['192.0.2.1'] };

  it.each([
    ['the one in the settings', { ...PUBLIC, scepUrl: 'http://scep.example' }, 'http://scep.example', '0.0.0.0:80', '0.0.0.0:443', '0.0.0.0:9443'],
    ['that of the SCEP listener', {}, 'https://127.0.0.1:9443', '127.0.0.1:8080', '127.0.0.1:8443', '127.0.0.1:9443'],
    ['that of the SCEP listener under the public name', PUBLIC, 'https://ca.example:9443', '0.0.0.0:80', '0.0.0.0:443', '0.0.0.0:9443'],
    ['the public URL if a proxy may hide the SCEP listener', PROXY, 'https://ca.example', '0.0.0.0:80', '0.0.0.0:443', '0.0.0.0:9443'],
    ['the plain listener', {}, 'http://127.0.0.1:8080', '127.0.0.1:8080', '127.0.0.1:8443'],
    ['the plain listener under the public name', PUBLIC, 'http://ca.example:8080', '0.0.0.0:8080', '0.0.0.0:443'],
    ['the plain listener if there is no other', {}, 'http://127.0.0.1:8080', '127.0.0.1:8080', 'off'],
    ['an http public URL', { publicUrl: 'http://ca.example:8080' }, 'http://ca.example:8080', '0.0.0.0:80', 'off'],
    ['the HTTPS listener if there is no plain one', {}, 'https://127.0.0.1:8443', 'off', '127.0.0.1:8443'],
    ['the HTTPS listener if devices cannot reach the plain one', {}, 'https://192.0.2.7:8443', '127.0.0.1:8080', '192.0.2.7:8443'],
    ['the HTTPS listener if the plain one does not serve SCEP', { httpServes: 'revocation' as const }, 'https://127.0.0.1:8443', '0.0.0.0:80', '0.0.0.0:8443'],
    ['the public URL if the plain listener does not serve SCEP', { ...PUBLIC, httpServes: 'revocation' as const }, 'https://ca.example', '0.0.0.0:80', '0.0.0.0:443'],
    ['the public URL if devices cannot reach the plain listener', PUBLIC, 'https://ca.example', '127.0.0.1:8080', '0.0.0.0:443'],
    ['the public URL behind a proxy', PROXY, 'https://ca.example', '0.0.0.0:80', '0.0.0.0:443'],
  ])('is %s', (_what, values, expected, http, https, scepHttps = 'off') => {
    const settings = { ...none, scepUrl: undefined, httpServes: 'everything' as const, ...values };
    expect(scepUrlOf(settings, listeners(http, https, scepHttps))).toBe(expected);
  }); // prettier-ignore
});
