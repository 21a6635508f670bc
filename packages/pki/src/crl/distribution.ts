// For which certificates and reasons a CRL speaks: the distribution point of the certificate beside the issuing
// distribution point of the list (RFC 5280 §6.3.3 b to e).
import { equalNames, equalRdns, type Name, type Rdn } from '../names.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { CertificateList, IssuingDistributionPoint } from './crl.ts';
import type { DistributionPoint } from '../x509/extensions.ts';

/** Bits 1 to 8 of ReasonFlags (RFC 5280 §4.2.1.13); bit 0 is unused. */
export const ALL_REASONS = 0b1_1111_1110;

/** Who signs the lists of a distribution point: the issuer of the certificate where it names nobody else. */
function crlIssuersOf(point: DistributionPoint, certificate: Certificate): readonly Name[] {
  const named = (point.crlIssuer ?? []).flatMap((name) => (name.kind === 'directoryName' ? [name.name] : []));
  return point.crlIssuer === undefined ? [certificate.issuer] : named;
}

/** The points that a certificate names, or the one that every issuer has. */
export const distributionPointsOf = ({ crlDistributionPoints }: Certificate): readonly DistributionPoint[] => [
  ...crlDistributionPoints,
  // RFC 5280 §6.3.3: a list that the certificate does not name speaks for it too, where it is of its issuer.
  ...(crlDistributionPoints.some(isForEverything) ? [] : [{}]),
];

const isForEverything = ({ fullName, nameRelativeToIssuer, crlIssuer, reasons }: DistributionPoint): boolean =>
  [fullName, nameRelativeToIssuer, crlIssuer, reasons].every((part) => part === undefined);

/** Reasons for which this list says whether the certificate is revoked, by this point of it; 0 for none. */
export function reasonsCovered(crl: CertificateList, point: DistributionPoint, certificate: Certificate): number {
  const issuing = crl.issuingDistributionPoint;
  const isNamed = crlIssuersOf(point, certificate).some((name) => equalNames(name, crl.issuer));
  if (!isNamed) return 0;
  // §6.3.3 b 1: who is named in the certificate must say in the list that it speaks for other issuers.
  if (point.crlIssuer !== undefined && !issuing?.indirectCrl) return 0;
  if (issuing === undefined) return point.reasons ?? ALL_REASONS;
  if (!isForKind(issuing, certificate) || !isSamePoint(crl, point, certificate)) return 0;
  return (issuing.onlySomeReasons ?? ALL_REASONS) & (point.reasons ?? ALL_REASONS) & ALL_REASONS;
}

/** Whether a list says anything about the certificate. */
export const isInScope = (crl: CertificateList, certificate: Certificate): boolean =>
  distributionPointsOf(certificate).some((point) => reasonsCovered(crl, point, certificate) !== 0);

/** §6.3.3 b 2 ii to iv. */
const isForKind = (issuing: IssuingDistributionPoint, { isCa }: Certificate): boolean =>
  !issuing.onlyContainsAttributeCerts && !(isCa ? issuing.onlyContainsUserCerts : issuing.onlyContainsCaCerts);

/** §6.3.3 b 2 i: one name of the list is one of the point, or of its CRL issuer where the point has no name. */
function isSamePoint(
  { issuer, issuingDistributionPoint }: CertificateList,
  point: DistributionPoint,
  certificate: Certificate,
): boolean {
  const listed = namesOf(issuingDistributionPoint ?? {}, issuer);
  if (listed === undefined) return true;
  const own =
    namesOf(point, crlIssuersOf(point, certificate)[0] ?? certificate.issuer) ??
    point.crlIssuer?.map(ofGeneralName) ??
    [];
  return listed.some((name) => own.some((other) => isSameName(name, other)));
}

type PointName = { readonly text: string } | { readonly rdns: readonly Rdn[] };

function namesOf(
  point: Pick<DistributionPoint, 'fullName' | 'nameRelativeToIssuer'>,
  issuer: Name,
): PointName[] | undefined {
  if (point.nameRelativeToIssuer) return [{ rdns: [...issuer.rdns, point.nameRelativeToIssuer] }];
  return point.fullName?.map(ofGeneralName);
}

const ofGeneralName = (name: GeneralName): PointName =>
  name.kind === 'directoryName' ? { rdns: name.name.rdns } : { text: `${name.kind} ${formatGeneralName(name)}` };

function isSameName(a: PointName, b: PointName): boolean {
  if ('text' in a || 'text' in b) return 'text' in a && 'text' in b && a.text === b.text;
  return a.rdns.length === b.rdns.length && a.rdns.every((rdn, index) => equalRdns(rdn, b.rdns[index] ?? []));
}
