import { describe, expect, it } from 'vitest';
import { findCertifiedIssuers, chainOf, missingIssuerOf, trustOf } from './issuer-tree.ts';

const issuer = (issuerDn: string, facts: object = {}) => ({ issuerDn, certificates: 1, ...facts });
const known = { issuerUuid: '00000000-0000-0000-0000-000000000001', trusted: false };

const root = issuer('CN=Root', { ...known, trusted: true });
const sub = issuer('CN=Sub', { ...known, certifiedBy: 'CN=Root' });
const leaf = issuer('CN=Leaf', { ...known, certifiedBy: 'CN=Sub' });
const orphan = issuer('CN=Orphan', { ...known, certifiedBy: 'CN=Unknown' });
const stranger = issuer('CN=Stranger');
const issuers = [leaf, root, orphan, sub, stranger];

describe('the chain of an issuer', () => {
  it('lists issuers from the root down', () => {
    expect(chainOf('CN=Leaf', issuers)).toEqual([root, sub, leaf]);
    expect(missingIssuerOf(chainOf('CN=Leaf', issuers))).toBeUndefined();
  });

  it('starts where the inventory ends', () => {
    expect(chainOf('CN=Orphan', issuers)).toEqual([orphan]);
    expect(missingIssuerOf([orphan])).toBe('CN=Unknown');
  });

  it('ends at a cycle of cross-certificates', () => {
    const [a, b] = [issuer('CN=A', { certifiedBy: 'CN=B' }), issuer('CN=B', { certifiedBy: 'CN=A' })];
    expect(chainOf('CN=A', [a, b])).toEqual([b, a]);
  });

  it('is trusted if an issuer higher in the chain is trusted', () => {
    const words = issuers.map((each) => trustOf(each, issuers).word);
    expect(words).toEqual([
      'Chains to a trusted CA',
      'Trusted',
      'Not trusted',
      'Chains to a trusted CA',
      'Not in the inventory',
    ]);
  });

  it('lists below each issuer the issuers that it certified', () => {
    expect(findCertifiedIssuers('CN=Root', issuers)).toEqual([sub]);
  });
});
