// Revokes a certificate permanently, places it on hold, or releases it from hold. All of these calls can be repeated. A
// key compromise that is discovered later replaces the reason, and any final reason replaces a hold.
import { readDateTime, rejected, validateAttributes } from '@signetry/connector-sdk';
import type { CertificateRevocationReason, RequestAttributeDto } from '@signetry/contract';
import { mayReplaceReason } from '@signetry/pki';
import { REVOKE, revokeAttributes } from '../attributes/revoke-attributes.ts';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import type { KnownCertificate } from '../issuance/known-certificate.ts';
import type { Revocation, RevocationStore } from './revocation-store.ts';

export interface RevokeRequest {
  readonly authority: SigningAuthority;
  readonly known: KnownCertificate;
  /** The CRL partition that the certificate refers to. */
  readonly shardUuid: string | undefined;
  readonly reason: CertificateRevocationReason;
  readonly attributes: readonly RequestAttributeDto[];
  readonly idempotencyKey: string | undefined;
  readonly now: Date;
}

export async function revokeCertificate(store: RevocationStore, request: RevokeRequest): Promise<void> {
  rejectInvalidRevocation(request);
  const { authority, known, reason, now } = request;
  const revocation: Revocation = {
    authorityUuid: authority.uuid,
    serial: known.serial,
    shardUuid: request.shardUuid,
    reason,
    revokedAt: now,
    invalidityAt: readDateTime(request.attributes, REVOKE.invalidityDate),
    expiresAt: known.expiresAt,
    idempotencyKey: request.idempotencyKey,
  };
  if ((await store.insert(revocation)) || (await store.renew(revocation))) return;
  const earlier = await store.find(authority.uuid, known.serial);
  if (!earlier)
    throw rejected(`The idempotency key ${request.idempotencyKey} was already used for a different certificate.`);
  if (earlier.reason === reason) return;
  if (mayReplaceReason(earlier.reason, reason) && (await store.replaceReason(revocation, earlier.reason))) return;
  throw rejected(
    `Certificate ${known.certificate.serialNumber} was already revoked on ${earlier.revokedAt.toISOString()} with the reason ${earlier.reason}.`,
  );
}

/** A certificate that is not revoked is treated as already released, because the call may be repeated. */
export async function releaseCertificate(
  store: RevocationStore,
  { authority, known, now }: Pick<RevokeRequest, 'authority' | 'known' | 'now'>,
): Promise<void> {
  if (await store.release(authority.uuid, known.serial, now)) return;
  const revocation = await store.find(authority.uuid, known.serial);
  if (!revocation) return;
  throw rejected(
    `Cannot release certificate ${known.certificate.serialNumber}: it was revoked with the reason ${revocation.reason}, which is final. Only certificateHold can be released.`,
  );
}

function rejectInvalidRevocation({ authority, known, reason, attributes }: RevokeRequest): void {
  const problems = validateAttributes(revokeAttributes(), attributes);
  if (reason === 'cACompromise' && !known.certificate.isCa) {
    problems.push('The reason cACompromise is only for CA certificates (RFC 5280 §5.3.1).');
  }
  if (known.certificate.serialNumber === authority.certificate.serialNumber && authority.certificate.isSelfIssued) {
    problems.push('A root certificate cannot be revoked by its own CA. Remove it from trust stores.');
  }
  if (problems.length > 0) throw rejected(...problems);
}
