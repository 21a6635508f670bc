// Determines which certificates and reasons a CRL covers, from the certificate's distribution points and the CRL's
// issuing distribution point (RFC 5280 §6.3.3 b to e).
import { equalNames, equalRdns, type Name, type Rdn } from '../names.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { CertificateList, IssuingDistributionPoint } from './crl.ts';
import type { DistributionPoint } from '../x509/extensions.ts';

/** ReasonFlags bits 1 to 8 (RFC 5280 §4.2.1.13); bit 0 is unused. */
export const ALL_REASONS = 0b1_1111_1110;

/** Returns the CRL issuers of a distribution point: by default, the certificate's issuer. */
function crlIssuersOf(point: DistributionPoint, certificate: Certificate): readonly Name[] {
  const named = (point.crlIssuer ?? []).flatMap((name) => (name.kind === 'directoryName' ? [name.name] : []));
  return point.crlIssuer === undefined ? [certificate.issuer] : named;
}

/** Returns the certificate's distribution points, plus the implicit distribution point for its issuer's CRLs. */
export const distributionPointsOf = ({ crlDistributionPoints }: Certificate): readonly DistributionPoint[] => [
  ...crlDistributionPoints,
  // RFC 5280 §6.3.3: a CRL from the issuer applies even if the certificate does not refer to it.
  ...(crlDistributionPoints.some(isUnrestricted) ? [] : [{}]),
];

const isUnrestricted = ({ fullName, nameRelativeToIssuer, crlIssuer, reasons }: DistributionPoint): boolean =>
  [fullName, nameRelativeToIssuer, crlIssuer, reasons].every((part) => part === undefined);

/** Returns the reasons that this CRL covers for the certificate through this distribution point; 0 for none. */
export function reasonsCovered(crl: CertificateList, point: DistributionPoint, certificate: Certificate): number {
  const issuing = crl.issuingDistributionPoint;
  const isNamed = crlIssuersOf(point, certificate).some((name) => equalNames(name, crl.issuer));
  if (!isNamed) return 0;
  // §6.3.3 b 1: a CRL issuer named in the certificate must mark its CRL as indirect.
  if (point.crlIssuer !== undefined && !issuing?.indirectCrl) return 0;
  if (issuing === undefined) return point.reasons ?? ALL_REASONS;
  if (!coversKind(issuing, certificate) || !isSamePoint(crl, point, certificate)) return 0;
  return (issuing.onlySomeReasons ?? ALL_REASONS) & (point.reasons ?? ALL_REASONS) & ALL_REASONS;
}

/** Returns whether a CRL covers the certificate for any reason. */
export const isInScope = (crl: CertificateList, certificate: Certificate): boolean =>
  distributionPointsOf(certificate).some((point) => reasonsCovered(crl, point, certificate) !== 0);

/** §6.3.3 b 2 ii to iv. */
const coversKind = (issuing: IssuingDistributionPoint, { isCa }: Certificate): boolean =>
  !issuing.onlyContainsAttributeCerts && !(isCa ? issuing.onlyContainsUserCerts : issuing.onlyContainsCaCerts);

/**
 * §6.3.3 b 2 i: the CRL's distribution point and this one must share a name. If this one has no name, its CRL issuer is
 * used.
 */
function isSamePoint(
  { issuer, issuingDistributionPoint }: CertificateList,
  point: DistributionPoint,
  certificate: Certificate,
): boolean {
  const listed = namesOf(issuingDistributionPoint ?? {}, issuer);
  if (listed === undefined) return true;
  const own =
    namesOf(point, crlIssuersOf(point, certificate)[0] ?? certificate.issuer) ??
    point.crlIssuer?.map(toPointName) ??
    [];
  return listed.some((name) => own.some((other) => isSameName(name, other)));
}

type PointName = { readonly text: string } | { readonly rdns: readonly Rdn[] };

function namesOf(
  point: Pick<DistributionPoint, 'fullName' | 'nameRelativeToIssuer'>,
  issuer: Name,
): PointName[] | undefined {
  if (point.nameRelativeToIssuer) return [{ rdns: [...issuer.rdns, point.nameRelativeToIssuer] }];
  return point.fullName?.map(toPointName);
}

const toPointName = (name: GeneralName): PointName =>
  name.kind === 'directoryName' ? { rdns: name.name.rdns } : { text: `${name.kind} ${formatGeneralName(name)}` };

function isSameName(a: PointName, b: PointName): boolean {
  if ('text' in a || 'text' in b) return 'text' in a && 'text' in b && a.text === b.text;
  return a.rdns.length === b.rdns.length && a.rdns.every((rdn, index) => equalRdns(rdn, b.rdns[index] ?? []));
}
