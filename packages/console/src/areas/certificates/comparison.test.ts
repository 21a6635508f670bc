import { describe, expect, it } from 'vitest';
import { compare, type Compared } from './comparison.ts';
import type { CertificateDetail } from './shapes.ts';

const compared = (facts: Partial<CertificateDetail>, extensions: Compared['extensions'] = []): Compared => ({
  // The compared properties.
  certificate: {
    state: 'issued',
    commonName: 'a.example',
    subjectDn: 'CN=a.example',
    publicKeyAlgorithm: 'ECDSA',
    keySize: 256,
    ...facts,
  } as CertificateDetail,
  extensions,
});

const differing = (one: Compared, other: Compared): readonly string[] =>
  compare(one, other)
    .filter(({ differs }) => differs)
    .map(({ name }) => name);

describe('two certificates', () => {
  it('with the same content do not differ', () => {
    expect(differing(compared({}), compared({}))).toEqual([]);
  });

  it('differ in values that only one of them has', () => {
    const lines = compare(compared({}), compared({ owner: 'olga' }, [{ name: 'OCSP', value: 'http://ocsp.example' }]));
    expect(lines.filter(({ differs }) => differs)).toMatchObject([
      { name: 'Owner', one: '', other: 'olga' },
      { name: 'OCSP', one: '', other: 'http://ocsp.example' },
    ]);
  });

  it('do not differ if only the order of names and usages differs', () => {
    const names = (...dNSName: string[]) => compared({ subjectAlternativeNames: { dNSName } });
    expect(differing(names('a', 'b'), names('b', 'a'))).toEqual([]);
    expect(differing(names('a', 'b'), names('a'))).toEqual(['Subject alternative names (dNSName)']);
  });

  it('are compared without a line for values that neither of them has', () => {
    expect(compare(compared({}), compared({})).map(({ name }) => name)).not.toContain('Owner');
  });
});
