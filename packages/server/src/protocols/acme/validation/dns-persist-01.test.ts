import type { DnsRecord, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import { accountDigest } from './hashed-account.ts';
import {
  ACCOUNT_HASH_PREFIX,
  ACCOUNT_URL,
  CANARY,
  expectRejection,
  NAME,
  startValidation,
  THUMBPRINT,
  type ValidationOptions,
} from './testing/targets.ts';

const type = 'dns-persist-01';
const AT = `_validation-persist.${NAME}`;
const ABOVE = '_validation-persist.example.test';
const RULES = { issuerDomainNames: ['ca.example'] };
const txt = (...strings: string[]): DnsRecord => ({ type: 'TXT', strings });
const GOOD = `ca.example; accounturi=${ACCOUNT_URL}`;
const WILDCARD = `${GOOD}; policy=wildcard`;
const hashed = (domain: string, thumbprint = THUMBPRINT): string =>
  `ca.example; accounturi=${ACCOUNT_HASH_PREFIX}sha-256/${accountDigest({ domain, thumbprint, accountUrl: ACCOUNT_URL })}`;

async function validateWith(zone: DnsZone, value: string = NAME, options: ValidationOptions = {}) {
  const validation = await startValidation({ zone, rules: RULES, ...options });
  return { ...validation, verdict: await validation.validate({ type, identifier: { type: 'dns', value } }) };
}

describe('dns-persist-01 (draft-ietf-acme-dns-persist-02)', () => {
  it.each<[string, DnsZone, string?]>([
    ['the record of the name', { [AT]: [txt(CANARY), txt(GOOD)] }],
    ['a record of multiple strings', { [AT]: [txt(GOOD.slice(0, 20), GOOD.slice(20))] }],
    ['a record with the hash of the account', { [AT]: [txt(hashed(NAME))] }],
    ['a record with an account hash for any domain', { [AT]: [txt(hashed('*'))] }],
    ['an alias', { [AT]: [{ type: 'CNAME', target: 'a.test' }], 'a.test': [txt(GOOD)] }],
    ['a wildcard', { [AT]: [txt(WILDCARD)] }, `*.${NAME}`],
    ['a wildcard with the record of a parent domain', { [ABOVE]: [txt(WILDCARD)] }, `*.${NAME}`],
    ['a subdomain', { [ABOVE]: [txt(WILDCARD)] }],
    [
      'a subdomain with the account hash for the parent domain',
      { [ABOVE]: [txt(`${hashed('example.test')}; policy=wildcard`)] },
    ],
    [
      'a subdomain that also has a record of a different account',
      { [AT]: [txt('ca.example; accounturi=x')], [ABOVE]: [txt(WILDCARD)] },
    ],
    [
      'the last of hundreds of records',
      { [AT]: [...Array.from({ length: 500 }, (_, at) => txt(`${CANARY}-${at}`)), txt(GOOD)] },
    ],
  ])('validates %s', async (_what, zone, name) => {
    expect((await validateWith(zone, name)).verdict).toEqual({ ok: true });
  });

  it('returns when the proof expires', async () => {
    const { verdict } = await validateWith({ [AT]: [txt(`${GOOD}; persistUntil=4102444800`)] });
    expect(verdict).toEqual({ ok: true, validUntil: new Date('2100-01-01T00:00:00Z') });
  });

  it.each<[string, DnsZone, Parameters<typeof expectRejection>[1], string?]>([
    ['no record', {}, { type: 'dns', mayChange: true, detail: new RegExp(`no TXT record at ${AT}`) }],
    ['a failed lookup', { [AT]: 'servfail' }, { type: 'dns', mayChange: true, detail: /SERVFAIL/ }],
    ['a failed lookup of a parent domain', { [ABOVE]: 'refused' }, { type: 'dns', mayChange: true, detail: /the resolver refused the query/ }],
    ['records without an issue-value', { [AT]: [txt(CANARY, '!')] }, { type: 'malformed', mayChange: true, detail: /is a valid issue-value/ }],
    ['a record for a different issuer', { [AT]: [txt(`${CANARY}.example; accounturi=${ACCOUNT_URL}`)] }, { type: 'unauthorized', mayChange: true, detail: /names this authority, which is identified as ca\.example\./ }],
    ['a record without an account', { [AT]: [txt('ca.example')] }, { type: 'malformed', mayChange: true, detail: /for this authority must have one accounturi/ }],
    ['a record for a different account', { [AT]: [txt(`${GOOD}0`)] }, { type: 'unauthorized', mayChange: true, detail: /names this account/ }],
    ['an account hash for a different domain', { [AT]: [txt(hashed('example.test'))] }, { type: 'unauthorized', mayChange: true, detail: /names this account/ }],
    ['a wildcard if the record has no policy', { [AT]: [txt(GOOD)] }, { type: 'unauthorized', mayChange: true, detail: /wildcards and subdomains require policy=wildcard\./ }, `*.${NAME}`],
    ['a subdomain if the record has no policy', { [ABOVE]: [txt(GOOD)] }, { type: 'unauthorized', mayChange: true, detail: new RegExp(`at ${ABOVE} .*policy=wildcard`) }],
    ['a record of the top-level domain', { '_validation-persist.test': [txt(WILDCARD)] }, { type: 'dns', mayChange: true }],
    ['a record of a sibling domain', { '_validation-persist.other.example.test': [txt(WILDCARD)] }, { type: 'dns', mayChange: true }],
    ['a record at the name for dns-01', { [`_acme-challenge.${NAME}`]: [txt(GOOD)] }, { type: 'dns', mayChange: true }],
    ['an expired record', { [AT]: [txt(`${GOOD}; persistUntil=1721952000`)] }, { type: 'unauthorized', mayChange: true, detail: /persistUntil .* has passed/ }],
  ])('rejects %s', async (_what, zone, expected, name) => {
    expectRejection((await validateWith(zone, name)).verdict, expected);
  }); // prettier-ignore

  it('checks at most eight domains', async () => {
    const { dns } = await validateWith({}, 'a.b.c.d.e.f.g.h.i.j.k.example.test');
    expect(dns.questions.filter((question) => question.endsWith(' TXT'))).toHaveLength(8);
  });

  it('evaluates the current record, because nothing is cached (§4.2)', async () => {
    const { dns, validate } = await validateWith({ [AT]: [txt(GOOD)] });
    dns.zone[AT] = [];
    expect((await validate({ type })).ok).toBe(false);
    dns.zone[AT] = [txt(GOOD)];
    expect(await validate({ type })).toEqual({ ok: true });
  });

  it("accepts the hashes of an account's former keys, but not after the account was deactivated (§4.2)", async () => {
    const { validate } = await validateWith({ [AT]: [txt(hashed(NAME, 'old'))] });
    expect(await validate({ type, keyThumbprints: ['new', 'old'] })).toEqual({ ok: true });
    expect((await validate({ type, keyThumbprints: ['new'] })).ok).toBe(false);
    expect((await validate({ type, keyThumbprints: [] })).ok).toBe(false);
  });

  it('is rejected if the profile has no issuer names', async () => {
    const { verdict, dns } = await validateWith({ [AT]: [txt(GOOD)] }, NAME, { rules: { issuerDomainNames: [] } });
    expectRejection(verdict, {
      type: 'unauthorized',
      mayChange: false,
      detail: /The ACME profile no longer offers dns-persist-01, or has no issuer names\./,
    });
    expect(dns.questions).toEqual([]);
  });
});
