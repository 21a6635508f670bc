import { describe, expect, it } from 'vitest';
import { compare, type ComparedCertificate } from './comparison.ts';
import type { CertificateDetail } from './shapes.ts';

const comparedCertificate = (
  facts: Partial<CertificateDetail>,
  extensions: ComparedCertificate['extensions'] = [],
): ComparedCertificate => ({
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

const differingNames = (one: ComparedCertificate, other: ComparedCertificate): readonly string[] =>
  compare(one, other)
    .filter(({ differs }) => differs)
    .map(({ name }) => name);

describe('two certificates', () => {
  it('with the same content do not differ', () => {
    expect(differingNames(comparedCertificate({}), comparedCertificate({}))).toEqual([]);
  });

  it('differ in values that only one of them has', () => {
    const lines = compare(
      comparedCertificate({}),
      comparedCertificate({ owner: 'olga' }, [{ name: 'OCSP', value: 'http://ocsp.example' }]),
    );
    expect(lines.filter(({ differs }) => differs)).toMatchObject([
      { name: 'Owner', one: '', other: 'olga' },
      { name: 'OCSP', one: '', other: 'http://ocsp.example' },
    ]);
  });

  it('do not differ if only the order of names and usages differs', () => {
    const names = (...dNSName: string[]) => comparedCertificate({ subjectAlternativeNames: { dNSName } });
    expect(differingNames(names('a', 'b'), names('b', 'a'))).toEqual([]);
    expect(differingNames(names('a', 'b'), names('a'))).toEqual(['Subject alternative names (dNSName)']);
  });

  it('are compared without a line for values that neither of them has', () => {
    expect(compare(comparedCertificate({}), comparedCertificate({})).map(({ name }) => name)).not.toContain('Owner');
  });
});
