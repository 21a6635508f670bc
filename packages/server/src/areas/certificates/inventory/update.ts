// Changes what people assign to a certificate: RA profile, groups, owner, trust in a CA. Absent members stay, an empty text or
// list removes. All changes of a request are one transaction with their history and one audit record.
import type { CertificateUpdateObjectsDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findGroups, findMemberships, replaceMemberships } from '../../groups/index.ts';
import { assertChangeable, groupChange, nameOf, ownerChange, trustChange, type AssignmentChange, type Named, type WantedOwner } from './assignment.ts'; // prettier-ignore
import { createProfileChanger, type ProfileChange, type ProfileChangerOptions } from './change-ra-profile.ts';
import type { Users } from '../core/ports.ts';
import * as store from '../core/store.ts';
import { historyEntry, insertHistory } from '../core/store-history.ts';
import * as changes from './store-changes.ts';
import type { CertificateRow } from '../core/tables.ts';
import { findAuthoritiesBelow } from '../validation/store-below.ts';
import type { Validator } from '../validation/validate.ts';

export interface UpdaterOptions extends ProfileChangerOptions {
  readonly audit: AuditTrail;
  readonly users: Users;
  readonly validator: Validator;
}

/** Absent members stay as they are. */
interface Wanted {
  readonly profile: ProfileChange | undefined;
  readonly groups: readonly Named[] | undefined;
  readonly owner: WantedOwner | undefined;
  readonly trustedCa: boolean | undefined;
}

export function createUpdater(options: UpdaterOptions) {
  const { platform, audit, users, validator } = options;
  const { database, clock } = platform;
  const profiles = createProfileChanger(options);

  return async function update(
    uuid: string,
    request: CertificateUpdateObjectsDto,
    context: RequestContext,
  ): Promise<void> {
    const row = await store.findOne(database.executor, uuid);
    if (!row) throw notFound('Certificate', uuid);
    assertChangeable(row);
    if (request.trustedCa !== undefined && row.trusted_ca === null)
      throw rejected(`trustedCa: ${nameOf(row)} is not a certificate of a certification authority`);
    const wanted: Wanted = {
      groups: await wantedGroups(request.groupUuids),
      owner: await wantedOwner(request.ownerUuid),
      trustedCa: request.trustedCa,
      // Last: it asks the authority, which is of no use when something else is refused.
      profile: await profiles.prepare(row, request.raProfileUuid, context),
    };
    const applied = await database.transaction((tx) => apply(tx, { uuid, wanted, context }));
    if (applied.some(({ event }) => event === 'Update Entity')) await validateAuthorities(uuid, context);
  };

  /** Applies what differs from what is there now, and records it. */
  async function apply(
    tx: Executor,
    { uuid, wanted, context }: { uuid: string; wanted: Wanted; context: RequestContext },
  ): Promise<AssignmentChange[]> {
    const row = await changes.lockRow(tx, uuid);
    if (!row) throw notFound('Certificate', uuid);
    assertChangeable(row);
    const list = [
      ...(await profiles.apply(tx, row, wanted.profile)),
      ...(await applyGroups(tx, row, wanted.groups)),
      ...ownerChange(row, wanted.owner),
      ...trustChange(row, wanted.trustedCa),
    ];
    if (list.length > 0) await record(tx, { row, list, context });
    return list;
  }

  async function record(
    tx: Executor,
    { row, list, context }: { row: CertificateRow; list: readonly AssignmentChange[]; context: RequestContext },
  ): Promise<void> {
    const at = clock.now();
    const assignment: changes.Assignment = Object.assign({}, ...list.map((change) => change.assignment)); // each holds some of its members
    await changes.assign(tx, row.uuid, { assignment, at });
    for (const { event, message, additional } of list) {
      const createdBy = context.actor.username ?? 'signetry';
      const facts = { certificate_uuid: row.uuid, event, status: 'SUCCESS', message, created_at: at, created_by: createdBy } as const; // prettier-ignore
      await insertHistory(tx, historyEntry({ ...facts, additional: additional ?? null }));
    }
    await audit.append(tx, context, {
      facts: { module: 'certificates', resource: 'certificates', operation: 'update' },
      objects: [{ uuid: row.uuid, name: row.common_name }],
      data: Object.fromEntries(list.map(({ event, message }) => [event, message])),
    });
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

  async function wantedGroups(uuids: readonly string[] | undefined): Promise<readonly Named[] | undefined> {
    if (uuids === undefined) return undefined;
    const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
    const usable = wanted.filter(isUuid);
    const groups = usable.length === 0 ? [] : await findGroups(database.executor, usable);
    const missing = wanted.find((uuid) => !groups.some((group) => group.uuid === uuid));
    if (missing !== undefined) throw notFound('Group', missing);
    return groups;
  }

  async function wantedOwner(uuid: string | undefined): Promise<WantedOwner | undefined> {
    if (uuid === undefined) return undefined;
    if (uuid === '') return { user: undefined };
    const user = isUuid(uuid) ? await users.findUser(database.executor, { uuid: uuid.toLowerCase() }) : undefined;
    if (!user) throw notFound('User', uuid);
    return { user };
  }

  /** The authorities below hang on this trust; other certificates follow when they are looked at or at their next turn. */
  async function validateAuthorities(uuid: string, context: RequestContext): Promise<void> {
    validator.afterChange();
    for (const authority of await findAuthoritiesBelow(database.executor, uuid))
      await validator.validate(authority, context);
  }
}
