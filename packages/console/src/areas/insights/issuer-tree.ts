// The hierarchy of issuers: the chain of an issuer up to a root, and its subordinate issuers.
import type { CertificateIssuerShare } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import type { Tone } from '../../ui/state.tsx';

/** Returns the chain from the root down to the issuer. Cross-certificates can form cycles. */
export function chainOf(
  issuerDn: string,
  issuers: readonly CertificateIssuerShare[],
): readonly CertificateIssuerShare[] {
  const chain: CertificateIssuerShare[] = [];
  let next: string | undefined = issuerDn;
  while (next !== undefined) {
    const issuer = issuers.find((each) => each.issuerDn === next);
    if (!issuer || chain.includes(issuer)) break;
    chain.unshift(issuer);
    next = issuer.certifiedBy;
  }
  return chain;
}

/** Returns the issuer above the first issuer in the chain if it is not in the inventory. */
export const missingIssuerOf = ([top]: readonly CertificateIssuerShare[]): string | undefined => top?.certifiedBy;

export const findCertifiedIssuers = (
  issuerDn: string,
  issuers: readonly CertificateIssuerShare[],
): readonly CertificateIssuerShare[] =>
  issuers.filter((each) => each.certifiedBy === issuerDn && each.issuerDn !== issuerDn);

export const issuerName = ({ issuerCommonName, issuerDn }: CertificateIssuerShare): string =>
  visibleText(issuerCommonName ?? issuerDn) || 'Unnamed issuer';

export interface Trust {
  readonly tone: Tone;
  readonly word: string;
}

/** Returns whether an issuer is trusted, directly or through an issuer above it. */
export function trustOf(issuer: CertificateIssuerShare, issuers: readonly CertificateIssuerShare[]): Trust {
  if (issuer.trusted) return { tone: 'good', word: 'Trusted' };
  if (chainOf(issuer.issuerDn, issuers).some(({ trusted }) => trusted))
    return { tone: 'good', word: 'Chains to a trusted CA' };
  return issuer.issuerUuid === undefined
    ? { tone: 'wait', word: 'Not in the inventory' }
    : { tone: 'none', word: 'Not trusted' };
}
