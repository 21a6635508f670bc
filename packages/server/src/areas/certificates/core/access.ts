// Which certificates a caller may see and touch: those of RA profiles that the caller has `members` on. Rights on
// certificates are not granted one by one; the permission that the operation requires covers them all.
import type { CertificateDetailDto } from '@signetry/contract';
import {
  isAllowed,
  isUnlimited,
  isVisible,
  visibleObjects,
  type ObjectFilter,
  type RequestContext,
} from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findRaProfilesOf } from './store.ts';

export const visibleRaProfiles = ({ actor }: RequestContext): ObjectFilter =>
  visibleObjects(actor.permissions, 'raProfiles', 'members');

/** The RA profiles whose certificates the caller may list. */
export const listedRaProfiles = (context: RequestContext): ObjectFilter =>
  isAllowed(context.actor.permissions, 'certificates', 'list')
    ? visibleRaProfiles(context)
    : { kind: 'only', uuids: new Set() };

/** A certificate without RA profile is only hidden from lists. */
export const isVisibleCertificate = (
  { ra_profile_uuid }: { readonly ra_profile_uuid: string | null },
  context: RequestContext,
): boolean => ra_profile_uuid === null || isVisible(visibleRaProfiles(context), ra_profile_uuid);

/** A certificate as it is shown to the caller: related ones that they do not see are left out. */
export function withoutHidden(detail: CertificateDetailDto, context: RequestContext): CertificateDetailDto {
  const { relatedCertificates = [], sourceCertificateUuid, ...shown } = detail;
  const related = relatedCertificates.filter(({ raProfile }) =>
    isVisibleCertificate({ ra_profile_uuid: raProfile?.uuid ?? null }, context),
  );
  const isSourceShown = related.some(({ uuid }) => uuid === sourceCertificateUuid);
  return { ...shown, relatedCertificates: related, ...(isSourceShown ? { sourceCertificateUuid } : {}) };
}

export type CertificateAccess = ReturnType<typeof createCertificateAccess>;

export function createCertificateAccess({ database }: Pick<Platform, 'database'>) {
  /** Refuses certificates of RA profiles that the caller does not see, as if they did not exist. */
  return async function assertVisible(uuids: readonly string[], context: RequestContext): Promise<void> {
    const known = uuids.filter(isUuid);
    if (isUnlimited(visibleRaProfiles(context)) || known.length === 0) return;
    for (const row of await findRaProfilesOf(database.executor, known))
      if (!isVisibleCertificate(row, context)) throw notFound('Certificate', row.uuid);
  };
}
