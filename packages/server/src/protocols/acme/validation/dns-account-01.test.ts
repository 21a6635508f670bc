import { createHash } from 'node:crypto';
import type { DnsRecord, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import { accountLabel } from './account-label.ts';
import { ACCOUNT_URL, CANARY, expectRejection, KEY_AUTHORIZATION, NAME, startValidation } from './testing/targets.ts';

const OTHER_URL = 'https://elsewhere.example.test/acct/1';
const at = (url: string): string => `_${accountLabel(url)}._acme-challenge.${NAME}`;
const DIGEST = createHash('sha256').update(KEY_AUTHORIZATION).digest('base64url');
const txt = (...strings: string[]): DnsRecord => ({ type: 'TXT', strings });
const type = 'dns-account-01';

async function validateWith(zone: DnsZone, accountUrls = [ACCOUNT_URL, OTHER_URL]) {
  const { validate } = await startValidation({ zone });
  return validate({ type, accountUrls });
}

describe('dns-account-01', () => {
  it.each<[string, DnsZone]>([
    ['at the label of the account', { [at(ACCOUNT_URL)]: [txt(CANARY), txt(DIGEST)] }],
    ['at the label of its other URL', { [at(OTHER_URL)]: [txt(DIGEST)] }],
    ['at both, one out of date', { [at(ACCOUNT_URL)]: [txt(CANARY)], [at(OTHER_URL)]: [txt(DIGEST)] }],
    ['behind an alias', { [at(ACCOUNT_URL)]: [{ type: 'CNAME', target: 'a.test' }], 'a.test': [txt(DIGEST)] }],
    ['where the look-up for the first URL fails', { [at(ACCOUNT_URL)]: 'servfail', [at(OTHER_URL)]: [txt(DIGEST)] }],
  ])('finds the digest %s', async (_what, zone) => {
    expect(await validateWith(zone)).toEqual({ ok: true });
  });

  it('validates a wildcard name with the record of its base name', async () => {
    const { validate } = await startValidation({ zone: { [at(ACCOUNT_URL)]: [txt(DIGEST)] } });
    expect(await validate({ type, identifier: { type: 'dns', value: `*.${NAME}` } })).toEqual({ ok: true });
  });

  it.each<[string, DnsZone]>([
    ['there is none', {}],
    ['it is where dns-01 has it', { [`_acme-challenge.${NAME}`]: [txt(DIGEST)] }],
    ['it is at the label of another account', { [at('https://acme.example.test/acct/2')]: [txt(DIGEST)] }],
  ])('reports where the record must be located if %s', async (_what, zone) => {
    const verdict = await validateWith(zone);
    expectRejection(verdict, {
      type: 'dns',
      mayChange: true,
      detail: new RegExp(`no TXT record at ${at(ACCOUNT_URL)}`),
    });
  });

  it('reports that none of the records contain the digest', async () => {
    const verdict = await validateWith({ [at(ACCOUNT_URL)]: [txt(CANARY)], [at(OTHER_URL)]: [txt(CANARY)] });
    expectRejection(verdict, {
      type: 'incorrectResponse',
      mayChange: true,
      detail: new RegExp(`at ${at(ACCOUNT_URL)}`),
    });
  });
});
