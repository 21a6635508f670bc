// The chain of a certificate as it is shown and downloaded: the path that is valid, or the best that the inventory has.
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
  /** The end certificate first, each followed by its issuer. */
  readonly members: readonly [ChainMember, ...ChainMember[]];
  /** The last one signed itself. */
  readonly isComplete: boolean;
}

export interface ChainSources {
  readonly issuers: Pick<Issuers, 'named'>;
  readonly work: Pick<CertificateWork, 'findPaths'>;
  readonly now: Date;
}

/** A certificate with the CA certificate that issued it. */
export interface IssuedEnd {
  readonly uuid: string;
  readonly der: Uint8Array;
  readonly issuerUuid: string;
}

/** Each step is proven by the signature, whether or not the path is valid. */
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
    ], // the target is the first
    isComplete: path.end === 'anchor' || path.end === 'untrustedRoot',
  };
}

const memberOf = ({ row, certificate }: Issuer): PathMember => ({
  uuid: row.uuid,
  certificate,
  trustedCa: row.trusted_ca,
  isRevoked: row.state === 'revoked',
});

/** Whether certificates below this CA may have several paths: it, or an authority above it, has twins. */
export async function mayHaveSeveralChains(
  ca: Certificate,
  { issuers }: Pick<ChainSources, 'issuers'>,
): Promise<boolean> {
  const named = await issuers.named(normalizeName(ca.subject), undefined);
  const { issuers: above } = await gatherIssuers(ca, issuers);
  // The CA itself is among those of its name, and a root among those above itself.
  const others = new Map([...named, ...above].map(({ row, certificate }) => [row.uuid, certificate]));
  const identities = [...others.values()].map(identityOf);
  return new Set(identities).size < identities.length;
}

/** Certificates for one name and key prove the same signatures, whoever issued them. */
const identityOf = ({ subject, spki }: Certificate): string => `${normalizeName(subject)} ${toHex(spki)}`;

/** A web of cross-certificates has more paths than anybody chooses from. */
const MAX_FOUND_CHAINS = 16;

/**
 * The issuers of a certificate on each of its valid paths, up to a limit. Those through the CA that issued it come
 * first, then as path building ranks them: what cross-certifies an authority later does not change the first one.
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
    // Clients fetch certificates that become valid later, too.
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
 * Same name as issuer and subject is not enough: an authority that changed its key is self-issued too (RFC 5280 §3.2).
 */
export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.isSelfIssued && isSignedBy(certificate, { issuerSpki: certificate.spki, verify: nodeCrypto.verify });
