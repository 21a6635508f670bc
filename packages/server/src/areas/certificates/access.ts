// Determines which certificates a caller can see and change: those of RA profiles on which the caller has `members`,
// those that the caller owns and, for viewing only, those in groups on which the caller has `members`. Permissions are
// not granted for individual certificates; the permission that the operation requires covers them all.
import type { Action, CertificateDetailDto, CertificateDto, KeyDto } from '@signetry/contract';
import {
  isAllowed,
  isUnlimited,
  visibleObjects,
  type Actor,
  type ObjectFilter,
  type RequestContext,
} from '../../kernel/actor.ts';
import { isAccessibleBy, type Belonging } from '../../kernel/belonging.ts';
import { isUuid } from '../../kernel/ids.ts';
import {
  assertAccessible,
  isHeldBy,
  isMemberOf,
  visibleOf,
  type VisibleObjects,
} from '../../kernel/visible-objects.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { findHoldersOf } from './store.ts';

/** Certificates on which a caller can perform an action, for lists. */
export interface CertificateFilter extends Omit<VisibleObjects, 'containers'> {
  /**
   * RA profiles whose certificates are included. A filter that includes all RA profiles except some also includes
   * certificates without an RA profile.
   */
  readonly raProfiles: ObjectFilter;
}

const visibleRaProfiles = ({ actor }: RequestContext): ObjectFilter =>
  visibleObjects(actor.permissions, 'raProfiles', 'members');

/** Returns whether the caller can view every certificate. */
export const canViewAllCertificates = (context: RequestContext): boolean =>
  isAllowed(context.actor.permissions, 'certificates', 'detail') && isUnlimited(visibleRaProfiles(context));

/** Returns the RA profiles whose certificates the caller has permission to list. */
export const listedRaProfiles = (context: RequestContext): ObjectFilter =>
  visibleCertificates(context, 'list').raProfiles;

/**
 * Returns the certificates that a list shows or a bulk change can modify, i.e. those that the caller can view or change
 * individually.
 */
export function visibleCertificates(context: Pick<RequestContext, 'actor'>, action: Action): CertificateFilter {
  const { containers, ...others } = visibleOf(context, { resource: 'certificates', within: 'raProfiles', action });
  return { ...others, raProfiles: containers };
}

interface HeldCertificate {
  readonly ra_profile_uuid: string | null;
  readonly owner_uuid: string | null;
}

/** Returns whether the caller owns the certificate or is a member of its RA profile. */
export const isHeldCertificate = (
  { ra_profile_uuid: containerUuid, owner_uuid: ownerUuid }: HeldCertificate,
  { actor }: Pick<RequestContext, 'actor'>,
): boolean => isHeldBy({ containerUuid, ownerUuid }, { actor, within: 'raProfiles' });

/** Returns a certificate as shown to the caller, omitting related certificates and keys that the caller cannot see. */
export function withoutHiddenObjects(detail: CertificateDetailDto, { actor }: RequestContext): CertificateDetailDto {
  const { relatedCertificates = [], sourceCertificateUuid, key, altKey, ...shown } = detail;
  const related = relatedCertificates.filter((each) => isVisibleTo(actor, each));
  const isSourceShown = related.some(({ uuid }) => uuid === sourceCertificateUuid);
  return {
    ...shown,
    relatedCertificates: related,
    ...(isSourceShown ? { sourceCertificateUuid } : {}),
    ...(key && isVisibleKey(actor, key) ? { key } : {}),
    ...(altKey && isVisibleKey(actor, altKey) ? { altKey } : {}),
  };
}

function isVisibleKey(actor: Actor, { uuid, tokenInstanceUuid, ownerUuid, groups = [] }: KeyDto): boolean {
  const isInSight = isAllowed(actor.permissions, 'tokens', 'members', tokenInstanceUuid ? [tokenInstanceUuid] : []);
  if (isInSight && isAllowed(actor.permissions, 'keys', 'detail', [uuid])) return true;
  const groupUuids = groups.map((group) => group.uuid);
  return isAccessibleBy(actor, 'detail', { ownerUuid: ownerUuid ?? null, groupUuids });
}

function isVisibleTo(actor: Actor, { raProfile, ownerUuid, groups = [] }: CertificateDto): boolean {
  if (
    isMemberOf(actor, 'raProfiles', raProfile?.uuid ?? null) &&
    isAllowed(actor.permissions, 'certificates', 'detail')
  )
    return true;
  const groupUuids = groups.map(({ uuid }) => uuid);
  return isAccessibleBy(actor, 'detail', { ownerUuid: ownerUuid ?? null, groupUuids });
}

/** Returns those of the certificates that the caller can view. */
export async function findVisibleCertificates(
  executor: Executor,
  uuids: readonly string[],
  { actor }: Pick<RequestContext, 'actor'>,
): Promise<ReadonlySet<string>> {
  const mayLook = isAllowed(actor.permissions, 'certificates', 'detail');
  const rows = uuids.length === 0 ? [] : await findHoldersOf(executor, uuids);
  const shown = rows.filter(
    (row) =>
      (mayLook && isMemberOf(actor, 'raProfiles', row.ra_profile_uuid)) ||
      isAccessibleBy(actor, 'detail', belongingOf(row)),
  );
  return new Set(shown.map(({ uuid }) => uuid));
}

/** Returns the owners and groups of certificates. */
export const findBelongings = async (executor: Executor, uuids: readonly string[]): Promise<Belonging[]> =>
  (await findHoldersOf(executor, uuids)).map(belongingOf);

type Holders = Awaited<ReturnType<typeof findHoldersOf>>[number];

const belongingOf = ({ uuid, owner_uuid: ownerUuid, group_uuids: groupUuids }: Holders): Belonging => ({
  uuid,
  ownerUuid,
  groupUuids,
});

export type CertificateAccess = ReturnType<typeof createCertificateAccess>;

export function createCertificateAccess({ database: { executor } }: Pick<Platform, 'database'>) {
  /**
   * Rejects certificates that the caller cannot see, as if they did not exist, and changes to those that the caller can
   * only view. The permission that the operation requires has already been checked.
   */
  return async function assertVisible(
    uuids: readonly string[],
    { context, action }: { readonly context: RequestContext; readonly action: Action },
  ): Promise<void> {
    const known = uuids.filter(isUuid);
    if (isUnlimited(visibleRaProfiles(context)) || known.length === 0) return;
    const objects = (await findHoldersOf(executor, known)).map((row) => ({
      ...belongingOf(row),
      containerUuid: row.ra_profile_uuid,
    }));
    assertAccessible(objects, { actor: context.actor, action, within: 'raProfiles', what: 'Certificate' });
  };
}
