// Issuers by what certified them: the way up to a root, and those that an issuer certified.
import type { CertificateIssuerShare } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import type { Tone } from '../../ui/state.tsx';

/** From the root down to the issuer. Cross-certificates may go round in circles. */
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

/** What certified the topmost of a chain, where the inventory does not have it. */
export const missingAbove = ([top]: readonly CertificateIssuerShare[]): string | undefined => top?.certifiedBy;

export const certifiedByIt = (
  issuerDn: string,
  issuers: readonly CertificateIssuerShare[],
): readonly CertificateIssuerShare[] =>
  issuers.filter((each) => each.certifiedBy === issuerDn && each.issuerDn !== issuerDn);

export const issuerName = ({ issuerCommonName, issuerDn }: CertificateIssuerShare): string =>
  visibleText(issuerCommonName ?? issuerDn) || 'Issuer without a name';

export interface Trust {
  readonly tone: Tone;
  readonly word: string;
}

/** An issuer is trusted itself, or by what is above it. */
export function trustOf(issuer: CertificateIssuerShare, issuers: readonly CertificateIssuerShare[]): Trust {
  if (issuer.trusted) return { tone: 'good', word: 'Trusted' };
  if (chainOf(issuer.issuerDn, issuers).some(({ trusted }) => trusted))
    return { tone: 'good', word: 'Below a trusted one' };
  return issuer.issuerUuid === undefined
    ? { tone: 'wait', word: 'Not in the inventory' }
    : { tone: 'none', word: 'Not trusted here' };
}
