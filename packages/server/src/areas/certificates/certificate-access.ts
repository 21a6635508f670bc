// Which certificates a caller may see and touch: those of RA profiles that the caller has `members` on. Rights on certificates
// themselves are not given one by one; the operation asks for those.
import { isUnlimited, isVisible, visibleObjects, type ObjectFilter, type RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { findRaProfilesOf } from './store-inventory.ts';

export const visibleRaProfiles = ({ actor }: RequestContext): ObjectFilter =>
  visibleObjects(actor.permissions, 'raProfiles', 'members');

export type CertificateAccess = ReturnType<typeof createCertificateAccess>;

export function createCertificateAccess({ database }: Pick<Platform, 'database'>) {
  /** Refuses certificates of RA profiles that the caller does not see. One without RA profile is only hidden from lists. */
  return async function assertVisible(uuids: readonly string[], context: RequestContext): Promise<void> {
    const filter = visibleRaProfiles(context);
    const known = uuids.filter(isUuid);
    if (isUnlimited(filter) || known.length === 0) return;
    for (const { uuid, ra_profile_uuid } of await findRaProfilesOf(database.executor, known))
      if (ra_profile_uuid !== null && !isVisible(filter, ra_profile_uuid)) throw notFound('Certificate', uuid);
  };
}
