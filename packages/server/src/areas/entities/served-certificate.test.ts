import { buildName } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { endpointOf, fingerprintOf, isExpected, textOf, whyNotServed } from './served-certificate.ts';
import type { Seen, SeenAt } from './ports.ts';

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

const at = (address: string, ...chain: Uint8Array[]): SeenAt => ({ address, protocol: 'TLSv1.3', chain });
const expected = () => new Set([fingerprintOf(own.der)]);
const why = (seen: Partial<Seen>) =>
  whyNotServed({ served: [], failures: [], ...seen }, { endpoint, expected: expected() });

describe('a certificate is served', () => {
  it('where the only address shows it, with or without its issuer', () => {
    expect(why({ served: [at('192.0.2.1', own.der)] })).toBeUndefined();
    expect(why({ served: [at('192.0.2.1', own.der, issuer.der)] })).toBeUndefined();
  });

  it('where every address that answers shows it, also if another one does not answer', () => {
    const served = [at('192.0.2.1', own.der), at('192.0.2.2', own.der)];
    expect(why({ served, failures: ['the connection was refused'] })).toBeUndefined();
  });
});

describe('a certificate is not served', () => {
  const OTHER = 'other.test (serial number badcafe, until 2031-05-06)';
  it('where another one is, which is named', () => {
    expect(why({ served: [at('192.0.2.1', other.der)] })).toBe(`web.test:443 (192.0.2.1) serves ${OTHER}`);
  });

  it('where it comes only behind another one', () => {
    const problem = why({ served: [at('192.0.2.1', other.der, own.der)] });
    expect(problem).toBe(`web.test:443 (192.0.2.1) serves ${OTHER}`);
  });

  it('where one of several addresses shows another one, and that address is named', () => {
    const served = [at('192.0.2.1', own.der), at('2001:db8::2', other.der)];
    expect(why({ served })).toBe(`web.test:443 (2001:db8::2) serves ${OTHER}`);
  });

  it('where a single bit of it differs', () => {
    const altered = Uint8Array.from(own.der);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    expect(isExpected(at('192.0.2.1', altered), expected())).toBe(false);
    expect(isExpected(at('192.0.2.1', own.der), expected())).toBe(true);
  });

  it('where nothing is expected', () => {
    const seen = { served: [at('web.test', own.der)], failures: [] };
    expect(whyNotServed(seen, { endpoint, expected: new Set() })).toMatch(/^web\.test:443 serves own\.test \(serial/);
  });

  it.each([
    ['the first failure is told', ['the connection was refused', 'no answer in time'], 'the connection was refused'],
    ['the lack of an address is told', [], 'it has no address'],
  ])('where no address answers: %s', (_what, failures, reason) => {
    expect(why({ failures })).toBe(`web.test:443 serves nothing: ${reason}`);
  });

  it.each([
    ['nothing', [], 'no certificate'],
    ['octets that are no certificate', [Uint8Array.of(1, 2, 3)], 'a certificate that cannot be read'],
    ['an empty certificate', [new Uint8Array()], 'a certificate that cannot be read'],
  ])('where a peer sends %s', (_what, chain, named) => {
    expect(why({ served: [at('web.test', ...chain)] })).toBe(`web.test:443 serves ${named}`);
  });

  it('where one without common name is, which is called by its subject', async () => {
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
  ])('%s at %s is called %s', (host, address, called) => {
    expect(textOf({ host, port: 443 }, address === undefined ? undefined : at(address))).toBe(called);
  });

  it('has neither server name nor STARTTLS unless they are stored', () => {
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
