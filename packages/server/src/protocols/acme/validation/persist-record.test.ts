import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateRecords, PERSIST_REJECTIONS, type PersistQuery } from './persist-record.ts';

const ACCOUNT = 'https://ca.example/acct/123';
const NOW = new Date('2026-11-22T12:00:00Z');
const seconds = (afterNow: number): number => NOW.getTime() / 1000 + afterNow;

const question: PersistQuery = {
  domain: 'example.com',
  needsWildcardPolicy: false,
  issuerDomainNames: ['ca.example', 'authority.example'],
  account: { accountUrls: [ACCOUNT], accountHashPrefixes: [], keyThumbprints: [] },
  now: NOW,
};
const evaluate = (records: readonly string[], changes: Partial<PersistQuery> = {}) =>
  evaluateRecords(records, { ...question, ...changes });

describe('dns-persist-01 records (draft-ietf-acme-dns-persist-02 §4)', () => {
  it.each([
    ['with the account alone', `ca.example; accounturi=${ACCOUNT}`],
    ['without spaces', `ca.example;accounturi=${ACCOUNT}`],
    ['with white space everywhere', ` \tca.example \t;\t accounturi = ${ACCOUNT} `],
    ['with the issuer and tags in other letters', `CA.Example; AccountURI=${ACCOUNT}`],
    ['by another name of this authority', `authority.example; accounturi=${ACCOUNT}`],
    ['with parameters that nobody knows', `ca.example; future=1; future=2; accounturi=${ACCOUNT}; x=`],
    ['with a policy that nobody knows', `ca.example; accounturi=${ACCOUNT}; policy=strict`],
    ['with an end to come', `ca.example; accounturi=${ACCOUNT}; persistUntil=${seconds(1)}`],
  ])('match %s', (_what, record) => expect(evaluate([record])).toMatchObject({ fits: true }));

  it.each<[string, string, string]>([
    ['noRecord', 'nothing', ''],
    ['unreadable', 'no issuer', `; accounturi=${ACCOUNT}`],
    ['unreadable', 'the text of another purpose', 'v=spf1 -all'],
    ['unreadable', 'a parameter without value', 'ca.example; accounturi'],
    ['unreadable', 'a semicolon at the end', `ca.example; accounturi=${ACCOUNT};`],
    ['unreadable', 'an octet outside of ASCII', `ca.example; accounturi=${ACCOUNT}\u00fc`],
    ['unreadable', 'thousands of characters', `ca.example; accounturi=${ACCOUNT}; x=${'y'.repeat(3000)}`],
    ['otherIssuer', 'another issuer', `other.example; accounturi=${ACCOUNT}`],
    ['otherIssuer', 'an issuer with a trailing dot', `xca.example; accounturi=${ACCOUNT}`],
    ['malformed', 'no account', 'ca.example'],
    ['malformed', 'two accounts', `ca.example; accounturi=${ACCOUNT}; accounturi=${ACCOUNT}`],
    ['malformed', 'two policies', `ca.example; accounturi=${ACCOUNT}; policy=wildcard; policy=wildcard`],
    ['malformed', 'an end that is a date', `ca.example; accounturi=${ACCOUNT}; persistUntil=2030-01-01`],
    ['malformed', 'an end in hexadecimal', `ca.example; accounturi=${ACCOUNT}; persistUntil=0x7fffffff`],
    ['malformed', 'an empty end', `ca.example; accounturi=${ACCOUNT}; persistUntil=`],
    ['otherAccount', 'another account', `ca.example; accounturi=${ACCOUNT}4`],
    ['expired', 'an end that is now', `ca.example; accounturi=${ACCOUNT}; persistUntil=${seconds(0)}`],
    ['expired', 'an end before 1970', `ca.example; accounturi=${ACCOUNT}; persistUntil=-1`],
  ])('do not match (%s): %s', (why, _what, record) => {
    expect(evaluate(record === '' ? [] : [record])).toEqual({ fits: false, why });
  });

  it.each([
    ['wildcard', true],
    ['WildCard', true],
    ['wildcards', false],
    [undefined, false],
  ])('with the policy %s cover more than the domain: %s (§5)', (policy, fits) => {
    const record = `ca.example; accounturi=${ACCOUNT}${policy === undefined ? '' : `; policy=${policy}`}`;
    expect(evaluate([record], { needsWildcardPolicy: true }).fits).toBe(fits);
    expect(evaluate([record]).fits).toBe(true);
  });

  it('expire as specified; if multiple records match, the latest expiry applies (§4.1)', () => {
    const recordUntil = (end: number | string) => `ca.example; accounturi=${ACCOUNT}; persistUntil=${end}`;
    const end = (...records: string[]) => {
      const found = evaluate(records);
      return found.fits ? found.validUntil : expect.unreachable(found.why);
    };
    expect(end(recordUntil(seconds(60)))).toEqual(new Date(NOW.getTime() + 60_000));
    expect(end(recordUntil(seconds(60)), recordUntil(seconds(90)), recordUntil(seconds(-1)))).toEqual(
      new Date(NOW.getTime() + 90_000),
    );
    expect(end(recordUntil(seconds(60)), `ca.example; accounturi=${ACCOUNT}`)).toBeUndefined();
    expect(end(recordUntil('9'.repeat(400)))).toBeUndefined();
  });

  it('are evaluated separately; the error describes the closest mismatch (§4.3.2)', () => {
    const fitting = `ca.example; accounturi=${ACCOUNT}`;
    const wrong = ['', 'other.example; accounturi=x', 'ca.example; accounturi=x', 'ca.example'];
    expect(evaluate([...wrong, fitting]).fits).toBe(true);
    expect(evaluate(wrong)).toEqual({ fits: false, why: 'otherAccount' });
    expect(evaluate(wrong.slice(0, 2))).toEqual({ fits: false, why: 'otherIssuer' });
  });

  it('can be parsed regardless of their content, and match only with the issuer and the account', () => {
    const piece = fc.oneof(
      fc.constantFrom('ca.example', ';', ' ', '=', 'accounturi', ACCOUNT, 'policy', 'wildcard', 'persistUntil', '\t'),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer().map(String),
    );
    const record = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const found = evaluate(records);
        if (!found.fits) expect(PERSIST_REJECTIONS).toContain(found.why);
        else expect(records.some((each) => each.includes('ca.example') && each.includes(ACCOUNT))).toBe(true);
      }),
    );
  });

  it('match regardless of additional parameters and spacing', () => {
    const tag = fc
      .stringMatching(/^[a-z0-9]{1,12}$/)
      .filter((each) => !['accounturi', 'policy', 'persistuntil'].includes(each));
    const value = fc.stringMatching(/^[!-:<-~]{0,20}$/);
    const space = fc.stringMatching(/^[ \t]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(tag, value), { maxLength: 5 }), space, fc.nat(5), (others, gap, at) => {
        const parameters = others.map(([name, text]) => `${name}${gap}=${gap}${text}`);
        parameters.splice(at, 0, `accounturi=${ACCOUNT}`);
        expect(evaluate([`ca.example${gap};${gap}${parameters.join(`${gap};${gap}`)}`]).fits).toBe(true);
      }),
    );
  });
});
