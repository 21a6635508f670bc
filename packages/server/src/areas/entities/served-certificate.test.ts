import { buildName } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { endpointOf, fingerprintOf, isExpected, textOf, notServedReason } from './served-certificate.ts';
import type { EndpointObservation, ObservedChain } from './ports.ts';

const endpoint = { host: 'web.test', port: 443 };
let issuer: TestCertificate;
let own: TestCertificate;
let other: TestCertificate;

beforeAll(async () => {
  issuer = await makeRoot('Issuer');
  own = await makeCertificate('own.test', { issuer });
  const notAfter = new Date('2031-05-06T23:59:59Z');
  other = await makeCertificate('other.test', { issuer, serialNumber: '0badcafe', notAfter });
});

const at = (address: string, ...chain: Uint8Array[]): ObservedChain => ({ address, protocol: 'TLSv1.3', chain });
const expected = () => new Set([fingerprintOf(own.der)]);
const why = (seen: Partial<EndpointObservation>) =>
  notServedReason({ served: [], failures: [], ...seen }, { endpoint, expected: expected() });

describe('a certificate is served', () => {
  it('if the only address serves it, with or without its issuer certificate', () => {
    expect(why({ served: [at('192.0.2.1', own.der)] })).toBeUndefined();
    expect(why({ served: [at('192.0.2.1', own.der, issuer.der)] })).toBeUndefined();
  });

  it('if every responding address serves it, even if a further address does not respond', () => {
    const served = [at('192.0.2.1', own.der), at('192.0.2.2', own.der)];
    expect(why({ served, failures: ['connection refused'] })).toBeUndefined();
  });
});

describe('a certificate is not served', () => {
  const OTHER = 'other.test (serial number badcafe, valid until 2031-05-06)';
  it('if a different certificate is served, and the error names it', () => {
    expect(why({ served: [at('192.0.2.1', other.der)] })).toBe(`web.test:443 (192.0.2.1) serves ${OTHER}`);
  });

  it('if it appears only further up in the chain of a different certificate', () => {
    const problem = why({ served: [at('192.0.2.1', other.der, own.der)] });
    expect(problem).toBe(`web.test:443 (192.0.2.1) serves ${OTHER}`);
  });

  it('if one of multiple addresses serves a different certificate, and the error names that address', () => {
    const served = [at('192.0.2.1', own.der), at('2001:db8::2', other.der)];
    expect(why({ served })).toBe(`web.test:443 (2001:db8::2) serves ${OTHER}`);
  });

  it('if it differs by a single bit', () => {
    const altered = Uint8Array.from(own.der);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    expect(isExpected(at('192.0.2.1', altered), expected())).toBe(false);
    expect(isExpected(at('192.0.2.1', own.der), expected())).toBe(true);
  });

  it('if no certificate is expected', () => {
    const seen = { served: [at('web.test', own.der)], failures: [] };
    expect(notServedReason(seen, { endpoint, expected: new Set() })).toMatch(
      /^web\.test:443 serves own\.test \(serial/,
    );
  });

  it.each([
    ['reports the first failure', ['connection refused', 'the request timed out'], 'connection refused'],
    ['reports that the host name has no address', [], 'the host name has no address'],
  ])('if no address responds: %s', (_what, failures, reason) => {
    expect(why({ failures })).toBe(`web.test:443 serves no certificate: ${reason}`);
  });

  it.each([
    ['no certificate', [], 'no certificate'],
    ['bytes that are not a certificate', [Uint8Array.of(1, 2, 3)], 'a certificate that cannot be read'],
    ['an empty certificate', [new Uint8Array()], 'a certificate that cannot be read'],
  ])('if a peer sends %s', (_what, chain, named) => {
    expect(why({ served: [at('web.test', ...chain)] })).toBe(`web.test:443 serves ${named}`);
  });

  it('if a certificate without a common name is served, and the error identifies it by its subject', async () => {
    const unnamed = await makeCertificate('', { issuer, name: buildName([{ type: 'O', value: 'Acme' }]) });
    const nobody = await makeCertificate('', { issuer, name: buildName([]) });
    expect(why({ served: [at('web.test', unnamed.der)] })).toMatch(/ serves O=Acme \(serial/);
    expect(why({ served: [at('web.test', nobody.der)] })).toMatch(/ serves a certificate without a subject \(serial/);
  });
});

describe('an endpoint', () => {
  it.each([
    ['web.test', undefined, 'web.test:443'],
    ['192.0.2.1', '192.0.2.1', '192.0.2.1:443'],
    ['web.test', '192.0.2.1', 'web.test:443 (192.0.2.1)'],
    ['2001:db8::1', '2001:db8::1', '[2001:db8::1]:443'],
  ])('%s at %s is displayed as %s', (host, address, called) => {
    expect(textOf({ host, port: 443 }, address === undefined ? undefined : at(address))).toBe(called);
  });

  it('has a server name and STARTTLS only if these are stored', () => {
    const row = { location_uuid: '', host: 'mail.test', port: 25, timeout_s: 60, restore_previous: true };
    expect(endpointOf({ ...row, server_name: null, start_tls: null })).toEqual({
      host: 'mail.test',
      port: 25,
      serverName: undefined,
      startTls: undefined,
    });
    expect(endpointOf({ ...row, server_name: 'mx.test', start_tls: 'smtp' })).toMatchObject({
      serverName: 'mx.test',
      startTls: 'smtp',
    });
  });
});
