// Revocation status of a certificate that authenticates a client to the platform and was issued by a different
// authority. It is determined from the inventory and from external CRLs and OCSP responders, for the certificate and
// for every authority below its anchor.
import { formatName, isSignedBy, normalizeName, unlessMalformed, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Platform } from '../../platform/platform.ts';
import {
  findCertificateByFingerprint,
  findProfilesOfCaCertificates,
  findStatuses,
  issuerKeyOf,
  sha256Hex,
  type Issuers,
} from '../certificates/index.ts';
import { isSameAuthority } from './assess-chain.ts';
import { namedUrls } from './named-urls.ts';
import type { LookUpRevocation } from './revocation-check.ts';

/** Maximum time that a client waits; results that arrive later are available to its next request. */
const MAX_WAIT_MS = 5_000;

/** Path with verified signatures. The platform fetches nothing for paths whose signatures are unverified. */
export interface ProvenPath {
  readonly certificate: Certificate;
  /** Starts with the direct issuer and ends with the anchor. Empty if the certificate itself is trusted. */
  readonly issuers: readonly Certificate[];
}

export type RevocationFinding =
  /** Also returned for certificates that name neither a CRL nor a responder. */
  | { readonly status: 'good' }
  /** `undetermined` means that the sources named by the certificate were unavailable or not trusted. */
  | { readonly status: 'revoked' | 'undetermined'; readonly message: string };

export type FindRevocation = (path: ProvenPath) => Promise<RevocationFinding>;

export interface FindRevocationParts {
  readonly platform: Pick<Platform, 'database' | 'log'>;
  readonly issuers: Pick<Issuers, 'named'>;
  readonly lookUpRevocation: LookUpRevocation;
  readonly waitMs?: number;
}

const GOOD: RevocationFinding = { status: 'good' };

export function createFindRevocation(parts: FindRevocationParts): FindRevocation {
  return async ({ certificate, issuers }) => {
    const known = issuers.length > 0 ? issuers : await issuerInInventory(parts, certificate);
    const chain = [certificate, ...known];
    const asked = known.length > 0 ? chain.slice(0, -1) : chain;
    const findings = await Promise.all(
      asked.map((each, index) => findOne(parts, { certificate: each, issuers: chain.slice(index + 1) })),
    );
    const withStatus = (status: RevocationFinding['status']) => findings.find((each) => each.status === status);
    return withStatus('revoked') ?? withStatus('undetermined') ?? GOOD;
  };
}

/** Returns a directly trusted certificate's issuer, which also signs the CRLs that cover it. */
async function issuerInInventory({ issuers }: FindRevocationParts, certificate: Certificate): Promise<Certificate[]> {
  const named = await issuers.named(normalizeName(certificate.issuer), issuerKeyOf(certificate));
  const isIssuer = ({ spki }: Certificate): boolean =>
    isSignedBy(certificate, { issuerSpki: spki, verify: nodeCrypto.verify });
  return named
    .map((issuer) => issuer.certificate)
    .filter(isIssuer)
    .slice(0, 1);
}

async function findOne(parts: FindRevocationParts, path: ProvenPath): Promise<RevocationFinding> {
  const { certificate } = path;
  const withSubject = (message: string): string => `${formatName(certificate.subject)}: ${message}`;
  const own = await inventoryFinding(parts, path);
  if (own === 'revoked')
    return { status: 'revoked', message: withSubject('It is recorded as revoked in the inventory.') };
  if (own === 'conclusive' || !namesRevocationSource(certificate)) return GOOD;
  const outcome = await lookUpInTime(parts, path);
  if (typeof outcome === 'string') return { status: 'undetermined', message: withSubject(outcome) };
  const checks = [outcome.ocsp, outcome.crl];
  const revoked = checks.find(({ status }) => status === 'revoked');
  if (revoked) return { status: 'revoked', message: withSubject(revoked.message) };
  if (checks.some(({ status }) => status === 'valid')) return GOOD;
  return { status: 'undetermined', message: withSubject(checks.map(({ message }) => message).join(' ')) };
}

/** Returns whether the certificate names a CRL or a responder, or may do so in an unreadable extension. */
function namesRevocationSource(certificate: Certificate): boolean {
  if (Object.keys(namedUrls(certificate).findings).length > 0) return true;
  const { crlUrls, freshestCrlUrls, ocspUrls } = certificate;
  return crlUrls.length + freshestCrlUrls.length + ocspUrls.length > 0;
}

/**
 * Returns what the inventory states. A known revocation counts until a validation lifts it; for the platform's own
 * authorities, the inventory is authoritative.
 */
async function inventoryFinding(
  { platform: { database }, issuers }: FindRevocationParts,
  { certificate, issuers: [issuer] }: ProvenPath,
): Promise<'revoked' | 'conclusive' | 'nothing'> {
  const row = await findCertificateByFingerprint(database.hot, sha256Hex(certificate.der));
  if (row?.state === 'revoked' || (row && row.revoked_at !== null)) return 'revoked';
  if (!issuer) return 'nothing';
  const same = (
    await issuers.named(
      normalizeName(issuer.subject),
      unlessMalformed(() => issuer.subjectKeyIdentifier),
    )
  )
    .filter((each) => isSameAuthority(each.certificate, issuer))
    .map((each) => each.row.uuid);
  const identity = { certificateUuids: same, publicKeyFingerprint: sha256Hex(issuer.spki) };
  const statuses = await findStatuses(database.hot, identity, [certificate.serialNumber]);
  if (statuses.some(({ revokedAt }) => revokedAt !== null)) return 'revoked';
  const profiles = same.length === 0 ? [] : await findProfilesOfCaCertificates(database.executor, same);
  return profiles.length > 0 ? 'conclusive' : 'nothing';
}

/** Returns the lookup result, or the reason why there is none. */
async function lookUpInTime(parts: FindRevocationParts, path: ProvenPath) {
  const { platform, lookUpRevocation, waitMs = MAX_WAIT_MS } = parts;
  if (path.issuers.length === 0) return 'The inventory does not contain its issuer, which signs its CRLs.';
  const { crls, withoutCrls, responders, findings } = namedUrls(path.certificate);
  if (crls.length + responders.length === 0)
    return Object.values(findings).join(' ') || `It names no OCSP responder with an HTTP URL. ${withoutCrls}`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, waitMs, `Its CRLs and OCSP responders did not respond within ${waitMs / 1000} s.`);
  });
  const found = lookUpRevocation(path);
  // After the timeout, a failure can only be logged.
  found.catch((error: unknown) => platform.log.error({ error }, 'revocation lookup failed'));
  try {
    return (await Promise.race([found, late])) ?? 'The inventory does not contain its issuer, which signs its CRLs.';
  } finally {
    clearTimeout(timer);
  }
}
