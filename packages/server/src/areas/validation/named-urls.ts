// External URLs that a certificate names for its CRLs, OCSP responders and issuer certificates. An unreadable extension
// yields no URLs; the reason is reported as a finding about the certificate and never fails the operation.
import { isPkiError, unlessMalformed, type Certificate, type DistributionPoint } from '@signetry/pki';
import type { RevocationCheck, RevocationOutcome } from './verdict.ts';

/** Maximum number of CRL distribution points and delta CRLs per certificate. */
const MAX_CRLS = 16;

interface NamedUrls {
  /** URLs of full and delta CRLs. */
  readonly crls: readonly string[];
  /** Reason why there are no CRL URLs, as a sentence. */
  readonly withoutCrls: string;
  readonly responders: readonly string[];
  readonly issuers: readonly string[];
  /** Problems with unreadable extensions, by the revocation check that needs the extension. */
  readonly findings: Readonly<Partial<Record<keyof RevocationOutcome, string>>>;
}

const known = new WeakMap<Certificate, NamedUrls>();

/** Returns only URLs that can be fetched over HTTP. */
export function namedUrls(certificate: Certificate): NamedUrls {
  const remembered = known.get(certificate);
  if (remembered) return remembered;
  const crls = readUrls('CRL distribution points', () => certificate.crlUrls);
  const deltas = readUrls('freshest CRL', () => certificate.freshestCrlUrls);
  const responders = readUrls('authority information access', () => certificate.ocspUrls);
  const issuers = readUrls('authority information access', () => certificate.caIssuersUrls);
  const crl = crls.finding ?? deltas.finding;
  const ocsp = responders.finding;
  const addresses = {
    // A delta CRL is meaningless without its base CRL.
    crls: crls.finding === undefined ? [...new Set([...crls.urls, ...deltas.urls])].slice(0, MAX_CRLS) : [],
    withoutCrls: describeUnfetchable(unlessMalformed(() => certificate.crlDistributionPoints) ?? []),
    responders: responders.urls,
    issuers: issuers.urls,
    findings: { ...(crl !== undefined && { crl }), ...(ocsp !== undefined && { ocsp }) },
  };
  known.set(certificate, addresses);
  return addresses;
}

/** Explains distribution points that name no HTTP URL (RFC 5280 §4.2.1.13). */
function describeUnfetchable(points: readonly DistributionPoint[]): string {
  const names = points.flatMap(({ fullName = [] }) => fullName);
  const urls = names.flatMap((name) => (name.kind === 'uniformResourceIdentifier' ? [name.value] : []));
  const schemes = urls.map((url) => /^([a-z][a-z0-9+.-]{0,15}):/i.exec(url)?.[1]?.toLowerCase());
  const known = [...new Set(schemes.filter((scheme) => scheme !== undefined))].slice(0, 4);
  const forms = [
    ...(known.length > 0 ? [`at ${known.join(' and ')} URLs`] : []),
    ...(known.length === 0 && urls.length > 0 ? ['at URLs without a scheme'] : []),
    ...(points.some((point) => point.nameRelativeToIssuer) ? ['by a name relative to the CRL issuer'] : []),
    ...(names.some(({ kind }) => kind === 'directoryName') ? ['by a directory name'] : []),
  ];
  if (forms.length > 0)
    return `The certificate names its CRLs only ${forms.join(' and ')}; the platform fetches CRLs only over HTTP.`;
  return points.length > 0
    ? 'The CRL distribution points of the certificate contain no URL.'
    : 'The certificate names no CRL.';
}

const isFetchable = (url: string): boolean => /^https?:/i.test(url);

function readUrls(extension: string, read: () => string[]): { readonly urls: string[]; readonly finding?: string } {
  try {
    return { urls: read().filter(isFetchable) };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    return { urls: [], finding: `The extension "${extension}" is malformed: ${error.message}.` };
  }
}

/**
 * Marks a check as failed if it was skipped because of an unreadable extension. A status that was determined remains
 * unchanged.
 */
export function withFindings(outcome: RevocationOutcome, certificate: Certificate): RevocationOutcome {
  const { crl, ocsp } = namedUrls(certificate).findings;
  return { ocsp: withFinding(outcome.ocsp, ocsp), crl: withFinding(outcome.crl, crl) };
}

function withFinding(check: RevocationCheck, finding: string | undefined): RevocationCheck {
  if (finding === undefined) return check;
  return check.status === 'not_checked'
    ? { status: 'failed', message: finding }
    : { ...check, message: `${check.message} ${finding}` };
}
