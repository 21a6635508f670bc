import type { DnsRecord, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import { accountDigest } from './hashed-account.ts';
import {
  ACCOUNT_HASH_PREFIX,
  ACCOUNT_URL,
  CANARY,
  expectRefusal,
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
    ['a record in several strings', { [AT]: [txt(GOOD.slice(0, 20), GOOD.slice(20))] }],
    ['a record that names the account by its digest', { [AT]: [txt(hashed(NAME))] }],
    ['a record for any domain', { [AT]: [txt(hashed('*'))] }],
    ['an alias', { [AT]: [{ type: 'CNAME', target: 'a.test' }], 'a.test': [txt(GOOD)] }],
    ['a wildcard', { [AT]: [txt(WILDCARD)] }, `*.${NAME}`],
    ['a wildcard, by a domain above', { [ABOVE]: [txt(WILDCARD)] }, `*.${NAME}`],
    ['a name below', { [ABOVE]: [txt(WILDCARD)] }],
    [
      'a name below, by the digest of the domain above',
      { [ABOVE]: [txt(`${hashed('example.test')}; policy=wildcard`)] },
    ],
    [
      'a name below, past a record of another account',
      { [AT]: [txt('ca.example; accounturi=x')], [ABOVE]: [txt(WILDCARD)] },
    ],
    ['the last of hundreds', { [AT]: [...Array.from({ length: 500 }, (_, at) => txt(`${CANARY}-${at}`)), txt(GOOD)] }],
  ])('validates %s', async (_what, zone, name) => {
    expect((await validateWith(zone, name)).verdict).toEqual({ ok: true });
  });

  it('tells when the proof ends', async () => {
    const { verdict } = await validateWith({ [AT]: [txt(`${GOOD}; persistUntil=4102444800`)] });
    expect(verdict).toEqual({ ok: true, validUntil: new Date('2100-01-01T00:00:00Z') });
  });

  it.each<[string, DnsZone, Parameters<typeof expectRefusal>[1], string?]>([
    ['no record', {}, { type: 'dns', mayChange: true, detail: new RegExp(`no TXT record at ${AT}`) }],
    ['a failed look-up', { [AT]: 'servfail' }, { type: 'dns', mayChange: true, detail: /SERVFAIL/ }],
    ['a failed look-up above', { [ABOVE]: 'refused' }, { type: 'dns', mayChange: true, detail: /refused/ }],
    ['no issue-value', { [AT]: [txt(CANARY, '!')] }, { type: 'malformed', mayChange: true, detail: /issue-value/ }],
    ['another issuer', { [AT]: [txt(`${CANARY}.example; accounturi=${ACCOUNT_URL}`)] }, { type: 'unauthorized', mayChange: true, detail: /this authority, which is ca\.example/ }],
    ['no account', { [AT]: [txt('ca.example')] }, { type: 'malformed', mayChange: true, detail: /needs one accounturi/ }],
    ['another account', { [AT]: [txt(`${GOOD}0`)] }, { type: 'unauthorized', mayChange: true, detail: /names this account/ }],
    ['the digest of another domain', { [AT]: [txt(hashed('example.test'))] }, { type: 'unauthorized', mayChange: true, detail: /names this account/ }],
    ['a wildcard without policy', { [AT]: [txt(GOOD)] }, { type: 'unauthorized', mayChange: true, detail: /need policy=wildcard/ }, `*.${NAME}`],
    ['a name below without policy', { [ABOVE]: [txt(GOOD)] }, { type: 'unauthorized', mayChange: true, detail: new RegExp(`at ${ABOVE} .*policy=wildcard`) }],
    ['a top-level domain', { '_validation-persist.test': [txt(WILDCARD)] }, { type: 'dns', mayChange: true }],
    ['a record of a sibling', { '_validation-persist.other.example.test': [txt(WILDCARD)] }, { type: 'dns', mayChange: true }],
    ['a record where dns-01 has it', { [`_acme-challenge.${NAME}`]: [txt(GOOD)] }, { type: 'dns', mayChange: true }],
    ['an end that has passed', { [AT]: [txt(`${GOOD}; persistUntil=1721952000`)] }, { type: 'unauthorized', mayChange: true, detail: /persistUntil .* has passed/ }],
  ])('refuses %s', async (_what, zone, expected, name) => {
    expectRefusal((await validateWith(zone, name)).verdict, expected);
  }); // prettier-ignore

  it('looks at eight domains and no more', async () => {
    const { dns } = await validateWith({}, 'a.b.c.d.e.f.g.h.i.j.k.example.test');
    expect(dns.questions.filter((question) => question.endsWith(' TXT'))).toHaveLength(8);
  });

  it('keeps to the record as it is now: nothing is remembered (§4.2)', async () => {
    const { dns, validate } = await validateWith({ [AT]: [txt(GOOD)] });
    dns.zone[AT] = [];
    expect((await validate({ type })).ok).toBe(false);
    dns.zone[AT] = [txt(GOOD)];
    expect(await validate({ type })).toEqual({ ok: true });
  });

  it('knows the account by keys that it had, and by none once it is over (§4.2)', async () => {
    const { validate } = await validateWith({ [AT]: [txt(hashed(NAME, 'old'))] });
    expect(await validate({ type, keyThumbprints: ['new', 'old'] })).toEqual({ ok: true });
    expect((await validate({ type, keyThumbprints: ['new'] })).ok).toBe(false);
    expect((await validate({ type, keyThumbprints: [] })).ok).toBe(false);
  });

  it('is refused where the profile has no issuer names (any more)', async () => {
    const { verdict, dns } = await validateWith({ [AT]: [txt(GOOD)] }, NAME, { rules: { issuerDomainNames: [] } });
    expectRefusal(verdict, { type: 'unauthorized', mayChange: false, detail: /does not offer dns-persist-01/ });
    expect(dns.questions).toEqual([]);
  });
});
