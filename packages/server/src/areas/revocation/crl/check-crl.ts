// Checks the CRL returned by an authority against its CA and the published CRL. Connectors are not trusted: a CRL is
// rejected if it is from a different CA, forged, expired or older than the published one. Long CRLs are hashed and
// verified outside the event loop or in slices, and their entries are not decoded.
import { crlShardOf } from '@signetry/contract';
import {
  equalNames,
  findExtension,
  isSignedByAsync,
  OID,
  parseCrl,
  PkiError,
  type CertificateList,
} from '@signetry/pki';
import type { NodeCrypto } from '@signetry/pki/node';
import { CLOCK_TOLERANCE_MS, MAX_CRL_BYTES, shardOf, type CrlKind } from '../publication-times.ts';
import type { Issuer } from '../issuers.ts';
import type { CrlFacts, CrlRow } from '../tables.ts';

export interface CrlExpectation {
  readonly authorityUuid: string;
  readonly kind: CrlKind;
  /** Whether the connector supports CRL partitions and could therefore return the wrong CRL. */
  readonly hasShards: boolean;
  readonly issuers: readonly Issuer[];
  readonly published: CrlFacts | undefined;
  readonly now: Date;
  readonly crypto: Pick<NodeCrypto, 'verifyAsync' | 'digestInSlices'>;
}

/** `notOffered`: a connector that does not support delta CRLs returned the full one. */
export type CheckedCrl =
  | { readonly verdict: 'new'; readonly row: CrlRow }
  | { readonly verdict: 'unchanged' }
  | { readonly verdict: 'notOffered' }
  | { readonly verdict: 'refused'; readonly problem: string };

export async function checkCrl(der: Uint8Array, expected: CrlExpectation): Promise<CheckedCrl> {
  if (der.length > MAX_CRL_BYTES) return rejectedCrl(`it is ${der.length} bytes long; the limit is ${MAX_CRL_BYTES}`);
  const crl = read(der);
  if (typeof crl === 'string') return rejectedCrl(crl);
  const issuer = await issuerOf(crl, expected);
  if (typeof issuer === 'string') return rejectedCrl(issuer);
  if (expected.kind === 'delta' && crl.baseCrlNumber === undefined) return { verdict: 'notOffered' };
  if (expected.kind !== 'delta' && crl.baseCrlNumber !== undefined)
    return rejectedCrl('it is a delta CRL, but a full CRL was requested');
  const scope = scopeProblem(crl, expected);
  if (scope !== undefined) return rejectedCrl(scope);
  const row = await rowOf(crl, issuer, expected);
  if (typeof row === 'string') return rejectedCrl(row);
  return compare(row, expected);
}

const rejectedCrl = (problem: string): CheckedCrl => ({ verdict: 'refused', problem });

function read(der: Uint8Array): CertificateList | string {
  try {
    return parseCrl(der);
  } catch (error) {
    if (error instanceof PkiError) return `it cannot be parsed: ${error.message}`;
    throw error;
  }
}

/** Returns the CA that matches the CRL's issuer name and signature (RFC 5280 §6.3.3 f and g). */
async function issuerOf(crl: CertificateList, { issuers, crypto }: CrlExpectation): Promise<Issuer | string> {
  const named = issuers.filter(({ certificate }) => equalNames(certificate.subject, crl.issuer));
  if (named.length === 0) return "its issuer is not the authority's CA";
  const signer = await signerOf(crl, named, crypto);
  if (!signer) return 'its signature was not created by the CA named as its issuer';
  if (!(signer.certificate.keyUsage?.includes('cRLSign') ?? true))
    return 'the key usage of its CA does not include cRLSign';
  return signer;
}

async function signerOf(
  crl: CertificateList,
  candidates: readonly Issuer[],
  { verifyAsync }: CrlExpectation['crypto'],
): Promise<Issuer | undefined> {
  for (const candidate of candidates) {
    if (await isSignedByAsync(crl, { issuerSpki: candidate.certificate.spki, verify: verifyAsync })) return candidate;
  }
  return undefined;
}

/** Only the signed part of a CRL determines its scope (RFC 5280 §5.2.5). */
function scopeProblem(crl: CertificateList, { kind, hasShards }: CrlExpectation): string | undefined {
  const point = crl.issuingDistributionPoint;
  const shard = shardOf(kind);
  if (shard === undefined) {
    const isPart = hasShards && point !== undefined;
    return isPart
      ? 'it is limited to one distribution point, but the CRL for all certificates was requested'
      : undefined;
  }
  if (!point?.fullName) return `it names no distribution point, but partition ${shard} was requested`;
  if (!findExtension(crl.extensions, OID.issuingDistributionPoint)?.critical)
    return 'its issuing distribution point extension is not critical (RFC 5280 §5.2.5)';
  const isOfShard = point.fullName.every(
    (name) => name.kind === 'uniformResourceIdentifier' && crlShardOf(name.value) === shard,
  );
  if (!isOfShard) return `its distribution point is not that of partition ${shard}`;
  const isNarrower =
    point.onlySomeReasons !== undefined ||
    point.onlyContainsUserCerts ||
    point.onlyContainsCaCerts ||
    point.onlyContainsAttributeCerts ||
    point.indirectCrl;
  return isNarrower ? `it covers only some of the certificates of partition ${shard}` : undefined;
}

async function rowOf(crl: CertificateList, issuer: Issuer, expected: CrlExpectation): Promise<CrlRow | string> {
  const nowMs = expected.now.getTime();
  const { crlNumber, thisUpdateMs, nextUpdateMs } = crl;
  if (crlNumber === undefined) return 'it has no CRL number (RFC 5280 §5.2.3)';
  if (findExtension(crl.extensions, OID.crlNumber)?.critical)
    return 'its CRL number extension is critical (RFC 5280 §5.2.3)';
  if (nextUpdateMs === undefined) return 'it has no nextUpdate (RFC 5280 §5.1.2.5)';
  // If this CRL were published, it would block every correctly dated CRL until then.
  if (thisUpdateMs > nowMs + CLOCK_TOLERANCE_MS)
    return `its thisUpdate is in the future: ${new Date(thisUpdateMs).toISOString()}`;
  if (nextUpdateMs <= nowMs) return `it expired on ${new Date(nextUpdateMs).toISOString()}`;
  return {
    authority_uuid: expected.authorityUuid,
    kind: expected.kind,
    shard: shardOf(expected.kind) ?? null,
    issuer_key: issuer.key,
    number: crlNumber.toString(),
    base_number: crl.baseCrlNumber?.toString() ?? null,
    this_update: new Date(thisUpdateMs),
    next_update: new Date(nextUpdateMs),
    sha256: (await expected.crypto.digestInSlices('sha256', crl.der)).toHex(),
    der: Buffer.from(crl.der.buffer, crl.der.byteOffset, crl.der.length),
    published_at: expected.now,
  };
}

/**
 * For each CA, CRL numbers strictly increase and thisUpdate never decreases, unless the published CRL was dated by a
 * clock that was ahead.
 */
function compare(row: CrlRow, { published, now }: Pick<CrlExpectation, 'published' | 'now'>): CheckedCrl {
  if (!published || published.issuer_key !== row.issuer_key) return { verdict: 'new', row };
  if (published.sha256 === row.sha256) return { verdict: 'unchanged' };
  const [number, before] = [BigInt(row.number), BigInt(published.number)];
  if (number < before) return rejectedCrl(`its CRL number ${number} is lower than the published ${before}`);
  if (number === before) return rejectedCrl(`its CRL number ${number} is already used by a different, published CRL`);
  const isFromFuture = published.this_update.getTime() > now.getTime() + CLOCK_TOLERANCE_MS;
  if (row.this_update < published.this_update && !isFromFuture) {
    return rejectedCrl(
      `its thisUpdate ${row.this_update.toISOString()} is before the published CRL's thisUpdate ${published.this_update.toISOString()}`,
    );
  }
  return { verdict: 'new', row };
}
