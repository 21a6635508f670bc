// What must hold before an authority is asked for anything: the RA profile may be used, and the certificate is its own.
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

/** The path of a client operation: an RA profile, below its authority. */
export interface ProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  /** For certificates of the platform itself, and for revoking. Never part of a request. */
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

/** The certificate, when it can be renewed or rekeyed under this RA profile. */
export const issuedUnder = (executor: Executor, wanted: RevocationTarget): Promise<CertificateRow> =>
  findUnder(executor, wanted, { accepts: (row) => shownState(row) === 'issued', needed: 'the state issued' });

/** The certificate, when it can be revoked for this reason under this RA profile, or its reason be replaced by it. */
export const revocableUnder = (
  executor: Executor,
  { reason, ...wanted }: RevocationTarget & { readonly reason: CertificateRevocationReason },
): Promise<CertificateRow> =>
  findUnder(executor, wanted, {
    accepts: (row) =>
      shownState(row) === 'issued' ||
      (row.state === 'revoked' && mayReplaceReason(row.revocation_reason ?? undefined, reason)),
    needed: 'the state issued; only a compromised key replaces the reason of a revocation, unless that is a hold',
  });

/** The certificate, when it is on hold under this RA profile. */
export const heldUnder = (executor: Executor, wanted: RevocationTarget): Promise<CertificateRow> =>
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
    throw rejected(`certificate: ${name} does not belong to the RA profile of this path`);
  return row;
}

/**
 * Authorities of the first generation do not tell whether a certificate is their own until they are asked to revoke it,
 * so a certificate without RA profile may be tried.
 */
const belongsTo = ({ ra_profile_uuid: of }: CertificateRow, { uuid, legacy }: IssuingProfile): boolean =>
  of === uuid || (legacy && of === null);
