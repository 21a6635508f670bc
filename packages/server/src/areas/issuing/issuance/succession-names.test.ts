import { describe, expect, it } from 'vitest';
import { describeNameChange, keepsNames, type NamesOfRow } from './succession-names.ts';

const names = (commonName: string, dns: readonly string[] = []): NamesOfRow => ({
  common_name: commonName,
  subject_dn: commonName === '' ? '' : `CN=${commonName}`,
  subject_dn_normalized: commonName === '' ? '' : `2.5.4.3=${commonName}`,
  subject_alternative_names: dns.length === 0 ? {} : { dNSName: [...dns] },
});

describe('a request for a renewal', () => {
  const certificate = names('a.test', ['a.test', 'b.test']);

  it.each([
    ['the same names', names('a.test', ['a.test', 'b.test'])],
    ['the same names in another order and case', names('a.test', ['B.test', 'a.test'])],
    ['no alternative names', names('a.test')],
    ['no names at all', names('')],
    ['without the common name, which the profile adds', names('a.test', ['b.test'])],
  ])('keeps the names with %s', (_what, request) => {
    expect(keepsNames(request, [certificate])).toBe(true);
  });

  it.each([
    ['another subject', names('c.test', ['a.test', 'b.test'])],
    ['one name more', names('a.test', ['a.test', 'b.test', 'c.test'])],
    ['one name less', names('a.test', ['a.test'])],
  ])('changes them with %s', (_what, request) => {
    expect(keepsNames(request, [certificate])).toBe(false);
  });

  it('keeps the names that were asked for then, whatever the profile made of them', () => {
    expect(keepsNames(names('x.test'), [certificate, names('x.test')])).toBe(true);
  });
});

describe('the words for a change', () => {
  it('are none where nothing changed', () => {
    expect(describeNameChange(names('a.test', ['a.test']), names('a.test', ['A.test']))).toBe('');
  });

  it('name the subjects and the names that were added and left out, and count when there are many', () => {
    const many = Array.from({ length: 8 }, (_, index) => `n${index}.test`);
    expect(describeNameChange(names('a.test', ['a.test']), names('b.test', many))).toBe(
      'subject CN=a.test -> CN=b.test; added dNSName:n0.test, dNSName:n1.test, dNSName:n2.test, dNSName:n3.test, dNSName:n4.test and 3 more; left out dNSName:a.test',
    );
  });
});
