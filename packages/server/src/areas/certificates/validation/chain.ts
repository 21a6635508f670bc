// The chain of a certificate as it is shown and downloaded: the path that is valid, or the best that the inventory has.
import { isSignedBy, parseCertificate, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { CertificateWork } from './certificate-work.ts';
import { gatherIssuers } from './gather-issuers.ts';
import type { Issuers } from '../core/issuers.ts';

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

/** Each step is proven by the signature, whether or not the path is valid. */
export async function buildChain(
  end: { readonly uuid: string; readonly der: Uint8Array; readonly trustedCa: boolean | null },
  { issuers, work, now }: ChainSources,
): Promise<Chain> {
  const certificate = parseCertificate(end.der);
  const target = { uuid: end.uuid, certificate, trustedCa: end.trustedCa, isRevoked: false };
  const pool = (await gatherIssuers(certificate, issuers)).map(({ row, certificate: own }) => ({
    uuid: row.uuid,
    certificate: own,
    trustedCa: row.trusted_ca,
    isRevoked: row.state === 'revoked',
  }));
  const [path] = await work.findPaths({ target, pool, nowMs: now.getTime() });
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

/**
 * Same name as issuer and subject is not enough: an authority that changed its key is self-issued too (RFC 5280 §3.2).
 */
export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.isSelfIssued && isSignedBy(certificate, { issuerSpki: certificate.spki, verify: nodeCrypto.verify });
