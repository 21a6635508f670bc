import type { RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { ReadCertificate } from '../../certificates/read-certificate.ts';
import { problemOfIssued, type Expectation } from './check-issued.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const days = (count: number): Date => new Date(NOW.getTime() + count * 86_400_000);

const issued = (facts: Partial<ReadCertificate['facts']> = {}): ReadCertificate =>
  ({
    facts: {
      public_key_fingerprint: 'key',
      common_name: 'a.example',
      subject_alternative_names: { dNSName: ['a.example', 'b.example'] },
      not_before: NOW,
      not_after: days(90),
      ...facts,
    },
  }) as unknown as ReadCertificate; // Fields that the check reads.

const attribute = (contentType: 'string' | 'datetime', data: string): RequestAttributeDto => ({
  uuid: '5b1cf10a-7c4e-4b6e-8d8a-1c1a9f0b5a11',
  name: 'data_any',
  contentType,
  content: [{ data }],
});

const problem = (facts: Partial<ReadCertificate['facts']>, expected: Partial<Expectation> = {}) =>
  problemOfIssued(issued(facts), {
    request: { public_key_fingerprint: 'key', common_name: 'a.example' } as Expectation['request'],
    attributes: [],
    now: NOW,
    requiredNames: [],
    namedIssuers: [],
    issuer: undefined,
    ...expected,
  });

describe('the common name of an issued certificate', () => {
  it('can come from a subject in the attributes, which may use custom codes', () => {
    const codes = { byOid: new Map([['1.2.3.4', 'TEAM']]), byCode: new Map([['TEAM', '1.2.3.4']]) };
    const attributes = [attribute('string', 'CN=other.example, TEAM=Ops')];
    expect(problem({ common_name: 'other.example' }, { attributes })).toContain('but a.example was requested');
    expect(problem({ common_name: 'other.example' }, { attributes, codes })).toBeUndefined();
  });

  it.each([
    ['the requested one', 'a.example', []],
    ['absent', '', []],
    ['one of the SANs', 'b.example', []],
    ['set by an attribute of the request or profile', 'Web 7', [attribute('string', 'CN=Web 7, O=Acme')]],
  ])('can be %s', (_what, common_name, attributes) => {
    expect(problem({ common_name }, { attributes })).toBeUndefined();
  });

  it('cannot be any other name', () => {
    expect(problem({ common_name: 'c.example' })).toBe('its common name is c.example, but a.example was requested');
    for (const text of ['CN=Web 7', 'c.example.org', 'http://c.example/', 'CN=c.example.org, O=c.example', 'CN=']) {
      const attributes = [attribute('string', text)];
      expect(problem({ common_name: 'c.example' }, { attributes }), text).toMatch(/^its common name is c\.example/);
    }
  });
});

describe('the names of an issued certificate', () => {
  it('must include all required names', () => {
    expect(problem({}, { requiredNames: ['dNSName a.example', 'dNSName b.example'] })).toBeUndefined();
    expect(problem({}, { requiredNames: ['dNSName a.example', 'dNSName c.example', 'iPAddress 192.0.2.1'] })).toBe(
      'it does not contain the requested dNSName c.example, iPAddress 192.0.2.1',
    );
    expect(problem({ subject_alternative_names: {} }, { requiredNames: ['dNSName a.example'] })).toMatch(/not contain/);
  });
});

describe('the validity of an issued certificate', () => {
  it('can begin in the future only if that time was requested', () => {
    expect(problem({ not_before: days(7) })).toMatch(/^it is not valid before 2030-01-08/);
    const attributes = [attribute('datetime', days(7).toISOString())];
    expect(problem({ not_before: days(7) }, { attributes })).toBeUndefined();
    expect(problem({ not_before: days(8) }, { attributes })).toMatch(/^it is not valid before/);
  });

  it('must not have ended, and must not end before it begins', () => {
    expect(problem({ not_after: days(-1), not_before: days(-2) })).toMatch(/^it expired on/);
    const attributes = [attribute('datetime', days(7).toISOString())];
    expect(problem({ not_before: days(7), not_after: days(6) }, { attributes })).toMatch(
      /^its notAfter is before its notBefore$/,
    );
  });
});

it('a different public key is rejected', () => {
  expect(problem({ public_key_fingerprint: 'another' })).toBe('it certifies a public key other than the one requested');
});
