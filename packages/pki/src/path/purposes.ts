// Purposes for which a certificate can be used: those in its extended key usage (RFC 5280 §4.2.1.12), as far as no CA
// above it is restricted to other purposes. By common practice, the extended key usage of a CA restricts the
// certificates below it (CA/Browser Forum BR §7.1.2.10.6).
import { EXTENDED_KEY_USAGE_NAMES, OID } from '../oids.ts';
import { formatName } from '../names.ts';
import { PkiError } from '../errors.ts';
import type { Certificate } from '../x509/certificate.ts';

export type Purpose = 'server' | 'client' | 'mail' | 'code' | 'timeStamping' | 'ocsp';

/** OIDs of the purposes that a verdict states, in the order in which they are shown. */
export const PURPOSE_OIDS: Readonly<Record<Purpose, string>> = {
  server: OID.serverAuth,
  client: OID.clientAuth,
  mail: OID.emailProtection,
  code: OID.codeSigning,
  timeStamping: OID.timeStamping,
  ocsp: OID.ocspSigning,
};

/**
 * Purposes that a certificate must name itself: RFC 3161 §2.3 and RFC 6960 §4.2.2.2 do not accept an absent extension
 * or anyExtendedKeyUsage.
 */
const NAMED_ONLY: ReadonlySet<string> = new Set([OID.timeStamping, OID.ocspSigning]);

export interface PurposePermission {
  readonly purpose: Purpose;
  readonly isPermitted: boolean;
  /** Why the purpose is not permitted. */
  readonly message?: string;
}

/** Returns the purposes that an extended key usage names, in a fixed order; empty if it names none of them. */
export const namedPurposes = (oids: readonly string[]): Purpose[] =>
  purposeEntries.flatMap(([purpose, oid]) => (oids.includes(oid) ? [purpose] : []));

// The record has exactly these keys.
const purposeEntries = Object.entries(PURPOSE_OIDS) as [Purpose, string][];

/**
 * Returns a verdict for each purpose. The chain starts with the certificate itself and continues up to the anchor. A CA
 * is judged by what it can issue certificates for.
 */
export function judgePurposes(
  chain: readonly Certificate[],
  { issues }: { readonly issues: boolean },
): readonly PurposePermission[] {
  return purposeEntries.map(([purpose, oid]) => {
    const message = purposeProblem(chain, { oid, isNamedOnly: !issues && NAMED_ONLY.has(oid) });
    return message === undefined ? { purpose, isPermitted: true } : { purpose, isPermitted: false, message };
  });
}

/** Returns the OIDs in the extended key usage of a certificate if CAs above it permit none of them; otherwise empty. */
export function excludedPurposes([certificate, ...issuers]: readonly Certificate[]): readonly string[] {
  const named = certificate === undefined ? undefined : usagesOf(certificate);
  if (named === undefined || named === 'malformed' || named.includes(OID.anyExtendedKeyUsage)) return [];
  const isPermitted = (oid: string): boolean => purposeProblem(issuers, { oid, isNamedOnly: false }) === undefined;
  return named.some(isPermitted) ? [] : named;
}

function purposeProblem(
  chain: readonly Certificate[],
  { oid, isNamedOnly }: { readonly oid: string; readonly isNamedOnly: boolean },
): string | undefined {
  for (const [index, certificate] of chain.entries()) {
    const allowed = usagesOf(certificate);
    const who = index === 0 ? 'The certificate' : `The CA "${formatName(certificate.subject)}"`;
    if (allowed === 'malformed') return `${who} has a malformed extended key usage.`;
    const isOwn = index === 0 && isNamedOnly;
    if (allowed?.includes(oid) || (!isOwn && (allowed?.includes(OID.anyExtendedKeyUsage) ?? true))) continue;
    if (index > 0) return `${who} is restricted to other purposes: ${describePurposes(allowed ?? [])}.`;
    return `${who} does not have the extended key usage ${describePurposes([oid])}.`;
  }
  return undefined;
}

function usagesOf(certificate: Certificate): readonly string[] | undefined | 'malformed' {
  try {
    return certificate.extKeyUsage;
  } catch (error) {
    if (error instanceof PkiError) return 'malformed';
    throw error;
  }
}

/** Returns the names of purposes, or the OIDs of those without a name. */
export const describePurposes = (oids: readonly string[]): string =>
  oids.map((oid) => EXTENDED_KEY_USAGE_NAMES.get(oid) ?? oid).join(', ');
