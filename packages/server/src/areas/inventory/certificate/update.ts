// Changes a certificate's assignments: RA profile, groups, owner, and trust in a CA. Absent members stay unchanged; an
// empty string or list removes the value. All changes in a request share one transaction with their history entries and
// a single audit record.
import type { CertificateUpdateObjectsDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findMemberships, replaceMemberships, requireGroups } from '../../groups/index.ts';
import {
  assertChangeable,
  certificateName,
  findCertificate,
  recordEvent,
  type CertificateRow,
  type Users,
} from '../../certificates/index.ts';
import { findAuthoritiesBelow, type Validator } from '../../validation/index.ts';
import {
  groupChange,
  ownerChange,
  trustChange,
  type AssignmentChange,
  type Named,
  type DesiredOwner,
} from './assignment.ts';
import {
  applyProfileChange,
  prepareProfileChange,
  type ProfileChange,
  type ProfileChangeParts,
} from './change-ra-profile.ts';
import { assign, lockRow, type Assignment } from './store-changes.ts';

export interface UpdateParts extends ProfileChangeParts {
  readonly audit: AuditTrail;
  readonly users: Pick<Users, 'findUser' | 'permissionsOf'>;
  readonly validator: Validator;
}

/** Absent members stay unchanged. */
interface RequestedUpdate {
  readonly profile: ProfileChange | undefined;
  readonly groups: readonly Named[] | undefined;
  readonly owner: DesiredOwner | undefined;
  readonly trustedCa: boolean | undefined;
}

/** Applies an update. Writes by `within` are part of the transaction, even if nothing else changes. */
export type Update = (
  uuid: string,
  request: CertificateUpdateObjectsDto,
  context: RequestContext,
  within?: (tx: Executor) => Promise<void>,
) => Promise<void>;

export function createUpdater(parts: UpdateParts): Update {
  const { database } = parts.platform;
  return async function update(uuid, request, context, within) {
    const row = await findCertificate(database.executor, uuid);
    if (!row) throw notFound('Certificate', uuid);
    assertChangeable(row);
    const wanted = await resolveUpdate(parts, { row, request }, context);
    const applied = await database.transaction(async (tx) => {
      const changes = await apply(tx, parts, { uuid, wanted, context });
      await within?.(tx);
      return changes;
    });
    if (applied.some(({ event }) => event === 'Update Entity')) await validateAuthorities(parts, uuid, context);
  };
}

async function resolveUpdate(
  parts: UpdateParts,
  { row, request }: { readonly row: CertificateRow; readonly request: CertificateUpdateObjectsDto },
  context: RequestContext,
): Promise<RequestedUpdate> {
  const { executor } = parts.platform.database;
  const { raProfileUuid, trustedCa } = request;
  if (trustedCa !== undefined && row.trusted_ca === null)
    throw rejected(`trustedCa: ${certificateName(row)} is not a CA certificate`);
  return {
    groups: await resolveGroups(executor, request.groupUuids),
    owner: await resolveOwner(parts, request.ownerUuid),
    trustedCa,
    // This comes last because it calls the authority, which is pointless if anything else is rejected.
    profile: await prepareProfileChange(parts, { row, raProfileUuid }, context),
  };
}

/** Returns the requested groups, or undefined if the request does not specify any. */
export const resolveGroups = async (
  executor: Executor,
  uuids: readonly string[] | undefined,
): Promise<readonly Named[] | undefined> => (uuids === undefined ? undefined : requireGroups(executor, uuids));

export async function resolveOwner(
  { users, platform }: UpdateParts,
  uuid: string | undefined,
): Promise<DesiredOwner | undefined> {
  if (uuid === undefined) return undefined;
  if (uuid === '') return { user: undefined };
  const { executor } = platform.database;
  const user = isUuid(uuid) ? await users.findUser(executor, { uuid: uuid.toLowerCase() }) : undefined;
  if (!user) throw notFound('User', uuid);
  return { user: { ...user, permissions: await users.permissionsOf(executor, user.uuid) } };
}

/** Applies and records the differences from the current values. */
async function apply(
  tx: Executor,
  parts: UpdateParts,
  {
    uuid,
    wanted,
    context,
  }: { readonly uuid: string; readonly wanted: RequestedUpdate; readonly context: RequestContext },
): Promise<AssignmentChange[]> {
  const row = await lockRow(tx, uuid);
  if (!row) throw notFound('Certificate', uuid);
  assertChangeable(row);
  const list = [
    ...(await applyProfileChange(tx, parts, { row, change: wanted.profile })),
    ...(await applyGroups(tx, row, wanted.groups)),
    ...ownerChange(row, wanted.owner, context),
    ...trustChange(row, wanted.trustedCa),
  ];
  if (list.length > 0) await record(tx, parts, { row, list, context });
  return list;
}

async function applyGroups(
  tx: Executor,
  row: CertificateRow,
  wanted: readonly Named[] | undefined,
): Promise<AssignmentChange[]> {
  const current = wanted ? await findMemberships(tx, 'certificates', [row.uuid]) : [];
  const list = groupChange(current, wanted);
  const uuids = (wanted ?? []).map((group) => group.uuid);
  if (list.length > 0) await replaceMemberships(tx, { resource: 'certificates', uuid: row.uuid }, uuids);
  return list;
}

async function record(
  tx: Executor,
  { platform, audit }: UpdateParts,
  facts: { readonly row: CertificateRow; readonly list: readonly AssignmentChange[]; readonly context: RequestContext },
): Promise<void> {
  const { row, list, context } = facts;
  const at = platform.clock.now();
  // Each change contains some of the members.
  const assignment: Assignment = Object.assign({}, ...list.map((change) => change.assignment));
  await assign(tx, row.uuid, { assignment, at });
  const entry = { certificate_uuid: row.uuid, status: 'SUCCESS' } as const;
  const occasion = { audit, context, at };
  await recordEvent(tx, occasion, {
    operation: 'update',
    history: list.map(({ event, message, additional = null }) => ({ ...entry, event, message, additional })),
    objects: [{ uuid: row.uuid, name: row.common_name }],
    data: Object.fromEntries(list.map(({ event, message }) => [event, message])),
  });
}

/**
 * Validates the authorities below this one, because they depend on its trust. Other certificates are updated when they
 * are viewed or at their next validation.
 */
async function validateAuthorities(
  { validator, platform }: UpdateParts,
  uuid: string,
  context: RequestContext,
): Promise<void> {
  validator.afterChange();
  for (const authority of await findAuthoritiesBelow(platform.database.executor, uuid))
    await validator.validate(authority, context);
}
