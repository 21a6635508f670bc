// What must hold before an authority is asked for anything: the RA profile may be used, and the certificate is its own.
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import { findOne } from '../core/store.ts';
import type { CertificateRow } from '../core/tables.ts';

/** The path of a client operation: an RA profile, below its authority. */
export interface ProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

export async function usableProfile(
  raProfiles: Pick<RaProfiles, 'forIssuing' | 'assertEnabled'>,
  { authorityUuid, raProfileUuid }: ProfilePath,
): Promise<IssuingProfile> {
  const profile = await raProfiles.forIssuing(authorityUuid, raProfileUuid);
  raProfiles.assertEnabled(profile);
  if (profile.legacy)
    throw new AppError('object_not_found', { what: 'RA profile with certificate operations', id: raProfileUuid });
  return profile;
}

/** The certificate, when it can be renewed, rekeyed or revoked under this RA profile. */
export async function issuedUnder(
  executor: Executor,
  facts: { readonly certificateUuid: string; readonly profile: IssuingProfile },
): Promise<CertificateRow> {
  const row = await findOne(executor, facts.certificateUuid);
  if (!row) throw notFound('Certificate', facts.certificateUuid);
  const name = row.common_name || row.uuid;
  if (row.archived)
    throw new AppError('invalid_state', {
      what: 'Certificate',
      name,
      state: 'archived',
      needed: 'one that is not archived',
    });
  if (row.state !== 'issued')
    throw new AppError('invalid_state', { what: 'Certificate', name, state: row.state, needed: 'the state issued' });
  if (row.ra_profile_uuid !== facts.profile.uuid)
    throw rejected(`certificate: ${name} does not belong to the RA profile of this path`);
  return row;
}
