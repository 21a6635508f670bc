// A certificate's chain for display and download: the valid path, or the best one in the inventory.
import { isSignedBy, normalizeName, parseCertificate, toHex, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { CertificateWork } from './certificate-work.ts';
import type { PathMember } from './find-paths.ts';
import { gatherIssuers } from './gather-issuers.ts';
import type { Issuer, Issuers } from '../certificates/index.ts';

export interface ChainMember {
  readonly uuid: string;
  readonly certificate: Certificate;
}

export interface Chain {
  /** Starts with the end-entity certificate; each certificate is followed by its issuer. */
  readonly members: readonly [ChainMember, ...ChainMember[]];
  /** Whether the last certificate is self-signed. */
  readonly isComplete: boolean;
}

export interface ChainSources {
  readonly issuers: Pick<Issuers, 'named'>;
  readonly work: Pick<CertificateWork, 'findPaths'>;
  readonly now: Date;
}

/** A certificate and the CA certificate that issued it. */
export interface IssuedEnd {
  readonly uuid: string;
  readonly der: Uint8Array;
  readonly issuerUuid: string;
}

/** Builds a chain in which every link is proven by its signature, even if the path is not valid. */
export async function buildChain(
  end: { readonly uuid: string; readonly der: Uint8Array; readonly trustedCa: boolean | null },
  { issuers, work, now }: ChainSources,
): Promise<Chain> {
  const certificate = parseCertificate(end.der);
  const target = { uuid: end.uuid, certificate, trustedCa: end.trustedCa, isRevoked: false };
  const { issuers: gathered, isCut } = await gatherIssuers(certificate, issuers);
  const pool = gathered.map(memberOf);
  const [path] = await work.findPaths({ target, pool, isCut, nowMs: now.getTime() });
  const members = new Map(pool.map((member) => [member.uuid, member]));
  const above = path.issuerUuids.flatMap((uuid) => members.get(uuid) ?? []);
  return {
    members: [target, ...above].map(({ uuid, certificate: own }) => ({ uuid, certificate: own })) as [
      ChainMember,
      ...ChainMember[],
    ], // `target` makes the list non-empty.
    isComplete: path.end === 'anchor' || path.end === 'untrustedRoot',
  };
}

const memberOf = ({ row, certificate }: Issuer): PathMember => ({
  uuid: row.uuid,
  certificate,
  trustedCa: row.trusted_ca,
  isRevoked: row.state === 'revoked',
});

/**
 * Whether certificates below this CA can have multiple paths, because it or an authority above it has multiple
 * certificates for the same name and key.
 */
export async function mayHaveMultipleChains(
  ca: Certificate,
  { issuers }: Pick<ChainSources, 'issuers'>,
): Promise<boolean> {
  const named = await issuers.named(normalizeName(ca.subject), undefined);
  const { issuers: above } = await gatherIssuers(ca, issuers);
  // The CA itself is also found under its own name, and a root is also among its own issuers.
  const others = new Map([...named, ...above].map(({ row, certificate }) => [row.uuid, certificate]));
  const identities = [...others.values()].map(identityOf);
  return new Set(identities).size < identities.length;
}

/**
 * Identifies a CA by name and key: certificates with the same identity verify the same signatures, regardless of their
 * issuers.
 */
const identityOf = ({ subject, spki }: Certificate): string => `${normalizeName(subject)} ${toHex(spki)}`;

/** Limit on the number of paths, since cross-certification can produce more than are useful. */
const MAX_FOUND_CHAINS = 16;

/**
 * Returns a certificate's issuers on each of its valid paths, up to a limit. Paths through the CA that issued it come
 * first, and the rest keep the order of path building, so that cross-certifying an authority later does not change the
 * first path.
 */
export async function buildValidChains(
  end: IssuedEnd,
  facts: ChainSources & { readonly work: Pick<CertificateWork, 'findValidPaths'>; readonly limit: number },
): Promise<readonly (readonly Certificate[])[]> {
  const { issuers, work, now, limit } = facts;
  const certificate = parseCertificate(end.der);
  const { issuers: gathered, isCut } = await gatherIssuers(certificate, issuers);
  const pool = gathered.map(memberOf);
  const members = new Map(pool.map((member) => [member.uuid, member.certificate]));
  const paths = await work.findValidPaths({
    target: { uuid: end.uuid, certificate, trustedCa: null, isRevoked: false },
    pool,
    isCut,
    // Clients also fetch certificates before they become valid or after they expire.
    nowMs: Math.min(Math.max(now.getTime(), certificate.notBeforeMs), certificate.notAfterMs),
    limit: MAX_FOUND_CHAINS,
  });
  const isOther = ([issuerUuid]: readonly string[]): number => Number(issuerUuid !== end.issuerUuid);
  return paths
    .toSorted((a, b) => isOther(a) - isOther(b))
    .slice(0, limit)
    .map((path) => path.flatMap((uuid) => members.get(uuid) ?? []));
}

/**
 * Equal issuer and subject names are not sufficient: an authority that changed its key also has self-issued
 * certificates that its previous key signed (RFC 5280 §3.2).
 */
export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.isSelfIssued && isSignedBy(certificate, { issuerSpki: certificate.spki, verify: nodeCrypto.verify });
