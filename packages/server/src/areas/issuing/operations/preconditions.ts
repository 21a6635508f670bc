// Preconditions for calling an authority: the RA profile can be used, and the certificate belongs to it.
import type { CertificateRevocationReason } from '@signetry/contract';
import { mayReplaceReason } from '@signetry/pki';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import {
  assertChangeable,
  certificateName,
  findCertificate,
  shownState,
  type CertificateRow,
} from '../../certificates/index.ts';

/** Path of a client operation, which contains an authority and one of its RA profiles. */
export interface ProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  /**
   * Whether internal profiles are also accepted: for the platform's own certificates and for revocation. Never part of
   * a request.
   */
  readonly alsoInternal?: boolean;
}

export async function usableProfile(
  raProfiles: Pick<RaProfiles, 'forIssuing' | 'forUpkeep' | 'assertEnabled'>,
  { authorityUuid, raProfileUuid, alsoInternal = false }: ProfilePath,
): Promise<IssuingProfile> {
  const profile = alsoInternal
    ? await raProfiles.forUpkeep(raProfileUuid, authorityUuid)
    : await raProfiles.forIssuing(authorityUuid, raProfileUuid);
  raProfiles.assertEnabled(profile);
  if (profile.legacy)
    throw new AppError('object_not_found', { what: 'RA profile with certificate operations', id: raProfileUuid });
  return profile;
}

interface RevocationTarget {
  readonly certificateUuid: string;
  readonly profile: IssuingProfile;
}

/** Returns the certificate if it can be renewed or rekeyed under this RA profile. */
export const findIssuedUnder = (executor: Executor, wanted: RevocationTarget): Promise<CertificateRow> =>
  findUnder(executor, wanted, { accepts: (row) => shownState(row) === 'issued', needed: 'the state issued' });

/**
 * Returns the certificate if it can be revoked for this reason under this RA profile, or if its existing reason can be
 * replaced.
 */
export const findRevocableUnder = (
  executor: Executor,
  { reason, ...wanted }: RevocationTarget & { readonly reason: CertificateRevocationReason },
): Promise<CertificateRow> =>
  findUnder(executor, wanted, {
    accepts: (row) =>
      shownState(row) === 'issued' ||
      (row.state === 'revoked' && mayReplaceReason(row.revocation_reason ?? undefined, reason)),
    needed: 'the state issued; a revocation reason can be replaced only by a key compromise, unless it is a hold',
  });

/** Returns the certificate if it is on hold under this RA profile. */
export const findHeldUnder = (executor: Executor, wanted: RevocationTarget): Promise<CertificateRow> =>
  findUnder(executor, wanted, {
    accepts: (row) => row.state === 'revoked' && row.revocation_reason === 'certificateHold',
    needed: 'the state revoked with the reason certificateHold: only a hold can be released',
  });

async function findUnder(
  executor: Executor,
  facts: RevocationTarget,
  { accepts, needed }: { readonly accepts: (row: CertificateRow) => boolean; readonly needed: string },
): Promise<CertificateRow> {
  const row = await findCertificate(executor, facts.certificateUuid);
  if (!row) throw notFound('Certificate', facts.certificateUuid);
  const name = certificateName(row);
  assertChangeable(row);
  if (!accepts(row)) throw new AppError('invalid_state', { what: 'Certificate', name, state: shownState(row), needed });
  if (!belongsTo(row, facts.profile))
    throw rejected(`certificate: ${name} does not belong to the RA profile in the path`);
  return row;
}

/**
 * A v1 authority reveals whether a certificate is its own only when it is asked to revoke it, so revocation can be
 * tried for a certificate without an RA profile.
 */
const belongsTo = ({ ra_profile_uuid: of }: CertificateRow, { uuid, legacy }: IssuingProfile): boolean =>
  of === uuid || (legacy && of === null);
