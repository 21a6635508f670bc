import { describe, expect, it } from 'vitest';
import { describeNameChange, keepsNames, type NamesOfRow } from './succession-names.ts';

const names = (commonName: string, dns: readonly string[] = []): NamesOfRow => ({
  common_name: commonName,
  subject_dn: commonName === '' ? '' : `CN=${commonName}`,
  subject_dn_normalized: commonName === '' ? '' : `2.5.4.3=${commonName}`,
  subject_alternative_names: dns.length === 0 ? {} : { dNSName: [...dns] },
});

describe('a renewal request', () => {
  const certificate = names('a.test', ['a.test', 'b.test']);

  it.each([
    ['the same names', names('a.test', ['a.test', 'b.test'])],
    ['the same names in a different order and case', names('a.test', ['B.test', 'a.test'])],
    ['no SANs', names('a.test')],
    ['no names at all', names('')],
    ['SANs that lack the common name, which the profile adds', names('a.test', ['b.test'])],
  ])('keeps the names with %s', (_what, request) => {
    expect(keepsNames(request, [certificate])).toBe(true);
  });

  it.each([
    ['a different subject', names('c.test', ['a.test', 'b.test'])],
    ['an additional name', names('a.test', ['a.test', 'b.test', 'c.test'])],
    ['a missing name', names('a.test', ['a.test'])],
  ])('changes the names with %s', (_what, request) => {
    expect(keepsNames(request, [certificate])).toBe(false);
  });

  it('keeps the names of the original request, even if the profile changed them', () => {
    expect(keepsNames(names('x.test'), [certificate, names('x.test')])).toBe(true);
  });
});

describe('the description of a name change', () => {
  it('is empty if nothing changed', () => {
    expect(describeNameChange(names('a.test', ['a.test']), names('a.test', ['A.test']))).toBe('');
  });

  it('contains the subjects and the added and omitted names, or only the number of names if there are many', () => {
    const many = Array.from({ length: 8 }, (_, index) => `n${index}.test`);
    expect(describeNameChange(names('a.test', ['a.test']), names('b.test', many))).toBe(
      'subject CN=a.test -> CN=b.test; added dNSName:n0.test, dNSName:n1.test, dNSName:n2.test, dNSName:n3.test, dNSName:n4.test and 3 more; removed dNSName:a.test',
    );
  });
});
