import { createHash } from 'node:crypto';
import type { DnsRecord, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import {
  CANARY,
  expectRejection,
  KEY_AUTHORIZATION,
  NAME,
  SHORT_LIMIT_MS,
  startValidation,
} from './testing/targets.ts';

const RECORD = `_acme-challenge.${NAME}`;
const DIGEST = createHash('sha256').update(KEY_AUTHORIZATION).digest('base64url');
const txt = (...strings: string[]): DnsRecord => ({ type: 'TXT', strings });
const alias = (target: string): DnsRecord => ({ type: 'CNAME', target });

async function validateWith(zone: DnsZone, options: Parameters<typeof startValidation>[0] = {}) {
  const validation = await startValidation({ zone, ...options });
  return { ...validation, verdict: await validation.validate({ type: 'dns-01' }) };
}

describe('dns-01', () => {
  it.each<[string, DnsRecord[]]>([
    ['a single record', [txt(DIGEST)]],
    ['one of multiple records', [txt(CANARY), txt(DIGEST), txt('')]],
    ['a record of multiple strings', [txt(DIGEST.slice(0, 10), '', DIGEST.slice(10))]],
    [
      'the last of hundreds of records, over TCP',
      [...Array.from({ length: 700 }, (_, index) => txt(`${CANARY}-${index}`)), txt(DIGEST)],
    ],
  ])('finds the digest of the key authorization in %s (RFC 8555 §8.4)', async (_what, records) => {
    expect((await validateWith({ [RECORD]: records })).verdict).toEqual({ ok: true });
  });

  it('validates a wildcard name with the record of its base name (RFC 8555 §7.1.4)', async () => {
    const { validate } = await startValidation({ zone: { [RECORD]: [txt(DIGEST)] } });
    const identifier = { type: 'dns', value: `*.${NAME}` } as const;
    expect(await validate({ type: 'dns-01', identifier })).toEqual({ ok: true });
  });

  it.each([
    ['through a resolver that follows them', true],
    ['itself if the resolver does not', false],
  ])('follows aliases %s (RFC 8555 §8.4)', async (_what, chases) => {
    const zone = { [RECORD]: [alias('a.test')], 'a.test': [alias('b.test')], 'b.test': [txt(DIGEST)] };
    expect((await validateWith(zone, { chases })).verdict).toEqual({ ok: true });
  });

  it('follows at most eight aliases (RFC 8555 §10.3)', async () => {
    const chain = (length: number): DnsZone => ({
      [RECORD]: [alias('0.chain.test')],
      ...Object.fromEntries(Array.from({ length }, (_, at) => [`${at}.chain.test`, [alias(`${at + 1}.chain.test`)]])),
      [`${length}.chain.test`]: [txt(DIGEST)],
    });
    expect((await validateWith(chain(7), { chases: false })).verdict).toEqual({ ok: true });
    const { verdict } = await validateWith(chain(8), { chases: false });
    expectRejection(verdict, { type: 'dns', mayChange: true, detail: /its CNAME chain has more than 8 records/ });
  });

  it.each([true, false])(
    'detects an alias loop and stops; resolver follows them: %s (RFC 8555 §10.3)',
    async (chases) => {
      const zone = { [RECORD]: [alias(`${CANARY}.test`)], [`${CANARY}.test`]: [alias(RECORD)] };
      const { verdict, dns } = await validateWith(zone, { chases });
      expectRejection(verdict, { type: 'dns', mayChange: true, detail: /CNAME records form a loop/ });
      expect(dns.questions.length).toBeLessThan(10);
    },
  );

  it.each<[string, DnsZone]>([
    ['the name does not exist', {}],
    ['the name has other records', { [RECORD]: [{ type: 'A', address: '127.0.0.1' }] }],
    ['the target of an alias does not exist', { [RECORD]: [alias(`${CANARY}.test`)] }],
  ])('reports a missing record if %s (RFC 8555 §8.4)', async (_what, zone) => {
    const { verdict } = await validateWith(zone);
    expectRejection(verdict, { type: 'dns', mayChange: true, detail: new RegExp(`no TXT record at ${RECORD}`) });
  });

  it('reports that none of the records match (RFC 8555 §8.4)', async () => {
    const { verdict } = await validateWith({ [RECORD]: [txt(CANARY), txt(KEY_AUTHORIZATION), txt(`${DIGEST}=`)] });
    expectRejection(verdict, {
      type: 'incorrectResponse',
      mayChange: true,
      detail: new RegExp(`None of the TXT records at ${RECORD}`),
    });
  });

  it.each([
    ['servfail', /SERVFAIL/],
    ['refused', /the resolver refused the query/],
    ['garbage', /could not be parsed/],
    ['truncated', /the resolver cannot be reached/],
    ['silent', /timed out/],
  ] as const)('reports a failed lookup if the server response is %s (RFC 8555 §8.4)', async (fault, detail) => {
    const { verdict } = await validateWith({ [RECORD]: fault }, { limitMs: SHORT_LIMIT_MS });
    expectRejection(verdict, { type: 'dns', mayChange: true, detail });
  });

  it('finds a newly set record, because nothing is cached (RFC 8555 §8.2)', async () => {
    const { verdict, dns, validate } = await validateWith({ [RECORD]: [txt(CANARY)] });
    expect(verdict.ok).toBe(false);
    dns.zone[RECORD] = [txt(DIGEST)];
    expect(await validate({ type: 'dns-01' })).toEqual({ ok: true });
    dns.zone[RECORD] = [txt(CANARY)];
    expect((await validate({ type: 'dns-01' })).ok).toBe(false);
  });
});
