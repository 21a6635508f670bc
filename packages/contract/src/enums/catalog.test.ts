import { describe, expect, it } from 'vitest';
import { buildEnumCatalog, PlatformEnum, platformEnums } from './catalog.ts';
import { CertificateKeyUsage, CertificateRevocationReason, revocationReasonCode } from './certificates.ts';

describe('the enumeration catalog', () => {
  const catalogue = buildEnumCatalog();

  it('contains 57 enumerations with 482 items', () => {
    expect(Object.keys(catalogue)).toHaveLength(57);
    expect(Object.values(catalogue).flatMap((items) => Object.keys(items))).toHaveLength(482);
  });

  it('follows the published order and lists each enumeration under its own name', () => {
    expect(Object.keys(catalogue)).toEqual(PlatformEnum.options);
    for (const [name, schema] of Object.entries(platformEnums)) expect(schema.enumName).toBe(name);
  });

  it('has a code and a label for every item', () => {
    for (const items of Object.values(catalogue))
      for (const [code, item] of Object.entries(items)) {
        expect(item.code).toBe(code);
        expect(item.label).toMatch(/\S/);
      }
    expect(catalogue.CertificateState['pending_approval']).toEqual({
      code: 'pending_approval',
      label: 'Pending approval',
    });
  });
});

describe('certificate enumerations', () => {
  it('number revocation reasons as CRLReason does (RFC 5280 §5.3.1)', () => {
    expect(Object.keys(revocationReasonCode)).toEqual(CertificateRevocationReason.options);
    expect(revocationReasonCode).toMatchObject({ keyCompromise: 1, certificateHold: 6, privilegeWithdrawn: 9 });
  });

  it('order key usages by bit number (RFC 5280 §4.2.1.3)', () => {
    expect(CertificateKeyUsage.options.indexOf('keyCertSign')).toBe(5);
    expect(CertificateKeyUsage.options.indexOf('decipherOnly')).toBe(8);
  });
});
