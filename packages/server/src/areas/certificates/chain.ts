// Chains of the inventory: from a certificate up to its root, each step proven by the signature. Only what the inventory
// holds is looked at; nothing is fetched.
import { isSignedBy, MAX_PATH_CERTIFICATES, normalizeName, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { Issuers } from './issuers.ts';

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

export async function buildChain(end: ChainMember, issuers: Pick<Issuers, 'of'>): Promise<Chain> {
  const members: [ChainMember, ...ChainMember[]] = [end];
  const seen = new Set([end.uuid]);
  let top = end.certificate;
  while (!isSelfSigned(top)) {
    const issuer = await issuers.of(top, normalizeName(top.issuer));
    // Authorities that certified each other would lead round in a circle.
    if (!issuer || seen.has(issuer.row.uuid) || members.length === MAX_PATH_CERTIFICATES)
      return { members, isComplete: false };
    members.push({ uuid: issuer.row.uuid, certificate: issuer.certificate });
    seen.add(issuer.row.uuid);
    top = issuer.certificate;
  }
  return { members, isComplete: true };
}

/** Same name as issuer and subject is not enough: an authority that changed its key is self-issued too (RFC 5280 section 3.2). */
export const isSelfSigned = (certificate: Certificate): boolean =>
  certificate.isSelfIssued && isSignedBy(certificate, { issuerSpki: certificate.spki, verify: nodeCrypto.verify });
