// The status of a certificate by CRL (RFC 5280 §6.3.3): from a full CRL and, where there is one, the delta CRL that
// updates it. Supports direct CRLs of one distribution point that cover all reasons; otherwise the status is
// undetermined, never good.
import { equalNames } from '../names.ts';
import { isSignedBy } from '../x509/signed.ts';
import type { VerifySignature } from '../crypto.ts';
import type { Certificate } from '../x509/certificate.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import {
  deltaFits,
  findRevoked,
  unknownCriticalCrlExtensions,
  type CertificateList,
  type IssuingDistributionPoint,
  type RevokedEntry,
} from './crl.ts';

export interface CrlSources {
  readonly full: CertificateList;
  /** Used if it fits the full CRL; ignored otherwise. */
  readonly delta?: CertificateList | undefined;
  /** The CA that issued the certificate and signed the lists. */
  readonly issuer: Certificate;
  readonly nowMs: number;
  readonly verify: VerifySignature;
}

export type CrlVerdict =
  | { readonly status: 'good' }
  | { readonly status: 'revoked'; readonly entry: RevokedEntry }
  | { readonly status: 'undetermined'; readonly problem: string };

/** Throws `DerError` for malformed entries. */
export function revocationByCrl(certificate: Certificate, sources: CrlSources): CrlVerdict {
  const { full, delta, issuer } = sources;
  const problem =
    problemOf(full, sources) ??
    scopeProblem(full.issuingDistributionPoint, certificate) ??
    refusedIssuer(certificate, issuer);
  if (problem !== undefined) return undetermined(problem);
  const useful = delta && deltaFits(full, delta) && problemOf(delta, sources) === undefined ? delta : undefined;
  // The delta counts more: it is as new or newer (RFC 5280 §6.3.3 i).
  const entry = (useful && findRevoked(useful, certificate.serialBytes)) ?? findRevoked(full, certificate.serialBytes);
  if (!entry || entry.reason === 'removeFromCRL') return { status: 'good' };
  if (entry.unknownCritical.length > 0) {
    return undetermined(`Its entry has unknown critical extensions: ${entry.unknownCritical.join(', ')}.`);
  }
  return { status: 'revoked', entry };
}

const undetermined = (problem: string): CrlVerdict => ({ status: 'undetermined', problem });

/** Why a list cannot be used at all. */
function problemOf(crl: CertificateList, { issuer, nowMs, verify }: CrlSources): string | undefined {
  if (!equalNames(crl.issuer, issuer.subject)) return 'The list is from another issuer.';
  if (crl.thisUpdateMs > nowMs) return 'The list is not valid yet.';
  if (crl.nextUpdateMs === undefined || crl.nextUpdateMs <= nowMs) return 'The list has expired.';
  const unknown = unknownCriticalCrlExtensions(crl);
  if (unknown.length > 0) return `The list has unknown critical extensions: ${unknown.join(', ')}.`;
  if (!isSignedBy(crl, { issuerSpki: issuer.spki, verify })) return 'The list is not signed by the issuer.';
  return undefined;
}

function refusedIssuer(certificate: Certificate, issuer: Certificate): string | undefined {
  if (!equalNames(certificate.issuer, issuer.subject)) return 'The certificate is from another issuer.';
  if (!(issuer.keyUsage?.includes('cRLSign') ?? true)) return 'The issuer is not allowed to sign CRLs.';
  return undefined;
}

/** Whether a list says anything about the certificate by its issuing distribution point, where it has one. */
export const isInScope = (crl: CertificateList, certificate: Certificate): boolean =>
  scopeProblem(crl.issuingDistributionPoint, certificate) === undefined;

/** RFC 5280 §6.3.3 b. */
function scopeProblem(point: IssuingDistributionPoint | undefined, certificate: Certificate): string | undefined {
  if (!point) return undefined;
  if (point.indirectCrl) return 'The list is an indirect CRL.';
  if (point.onlySomeReasons !== undefined) return 'The list is for some reasons only.';
  if (point.onlyContainsAttributeCerts) return 'The list is for attribute certificates only.';
  if (point.onlyContainsUserCerts && certificate.isCa) return 'The list is for end-entity certificates only.';
  if (point.onlyContainsCaCerts && !certificate.isCa) return 'The list is for CA certificates only.';
  if (point.nameRelativeToIssuer) return 'The list names its distribution point relative to the issuer.';
  if (!point.fullName) return undefined;
  const own = new Set(certificate.crlDistributionPoints.flatMap(({ fullName = [] }) => fullName.map(keyOf)));
  return point.fullName.some((name) => own.has(keyOf(name)))
    ? undefined
    : 'The list is from another distribution point than those the certificate names.';
}

const keyOf = (name: GeneralName): string => `${name.kind} ${formatGeneralName(name)}`;
