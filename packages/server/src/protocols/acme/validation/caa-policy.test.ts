import { describe, expect, it } from 'vitest';
import { caaRejection, type CaaQuery } from './caa-policy.ts';
import type { CaaRecord } from './dns-lookups.ts';

const ACCOUNT = 'https://acme.example.test/account/1';
const property = (tag: string, value: string, isCritical = false): CaaRecord => ({ tag, value, isCritical });
const issue = (value: string): CaaRecord => property('issue', value);

const rejection = (records: readonly CaaRecord[], question: Partial<CaaQuery> = {}) =>
  caaRejection(records, {
    isWildcard: false,
    identities: ['ca.example'],
    challengeType: 'http-01',
    accountUrls: [ACCOUNT, 'https://acme.example.test/profile/account/1'],
    ...question,
  });

describe('the CAA policy', () => {
  it.each([
    'ca.example',
    'CA.Example',
    '  ca.example\t',
    'ca.example;',
    'ca.example ; policy=ev',
    'ca.example; a=1; b-2=x',
    'ca.example;a=',
    `ca.example; accounturi=${ACCOUNT}`,
    `ca.example; AccountURI = ${ACCOUNT}`,
    'ca.example; validationmethods=dns-01,http-01',
    'ca.example; validationmethods=ca-own-method,http-01',
  ])('permits issuance with issue "%s" (RFC 8659 §4.2, RFC 8657 §3)', (value) => {
    expect(rejection([issue(value)])).toBeUndefined();
  });

  it.each([
    ';',
    '',
    'other.example',
    'sub.ca.example',
    'ca.example.',
    'ca.example other.example',
    'ca.example policy=ev',
    'ca.example; policy',
    'ca.example; =x',
    'ca.example; a=1;',
    'ca.example;;a=1',
    'ca.example; a=b c',
    '%%%%%',
    `ca.example; a=${'x'.repeat(3000)}`,
    `ca.example${' '.repeat(60_000)}x`,
  ])('forbids issuance with issue "%.40s" (RFC 8659 §4.2)', (value) => {
    expect(rejection([issue(value)])).toBe('no property authorizes this authority');
  });

  it.each([
    'accounturi=https://acme.example.test/account/2',
    'accounturi=',
    `accounturi=${ACCOUNT}; accounturi=${ACCOUNT}`,
    'validationmethods=dns-01',
    'validationmethods=',
    'validationmethods=http-01; validationmethods=http-01',
    'validationmethods=HTTP-01',
    `accounturi=${ACCOUNT}; validationmethods=tls-alpn-01`,
  ])('forbids issuance with the parameters "%s" (RFC 8657 §3, §4)', (parameters) => {
    expect(rejection([issue(`ca.example; ${parameters}`)])).toMatch(
      /the properties for this authority require a different account or challenge type/,
    );
  });

  it('is satisfied by any one of multiple properties (RFC 8659 §4.2)', () => {
    const records = [issue('other.example'), issue('ca.example; validationmethods=dns-01'), issue('ca.example')];
    expect(rejection(records)).toBeUndefined();
    expect(rejection([issue(';'), issue('other.example')])).toBeDefined();
  });

  it('does not restrict issuance if there is no issue property (RFC 8659 §4.2)', () => {
    expect(rejection([property('iodef', 'mailto:security@example.test'), property('unknown', 'x')])).toBeUndefined();
    expect(rejection([property('issuewild', ';')])).toBeUndefined();
  });

  it('applies issuewild instead of issue to wildcards, but only to wildcards (RFC 8659 §4.3)', () => {
    const wild = { isWildcard: true };
    expect(rejection([issue('ca.example')], wild)).toBeUndefined();
    expect(rejection([issue('ca.example'), property('issuewild', ';')], wild)).toBeDefined();
    expect(rejection([issue(';'), property('issuewild', 'ca.example')], wild)).toBeUndefined();
    expect(rejection([issue(';'), property('issuewild', 'ca.example')])).toBeDefined();
  });

  it('forbids issuance if there is an unknown critical property (RFC 8659 §4.1)', () => {
    expect(rejection([issue('ca.example'), property('future', 'x', true)])).toMatch(/critical/);
    expect(rejection([issue('ca.example'), property('future', 'x')])).toBeUndefined();
    expect(rejection([property('issue', 'ca.example', true), property('iodef', 'x', true)])).toBeUndefined();
  });
});
