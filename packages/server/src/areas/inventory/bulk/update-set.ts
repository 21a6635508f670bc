// Assigns an RA profile, groups and an owner to a batch of certificates, in one transaction with a history entry for
// each certificate and one audit record. Shared values are looked up once and written in one statement.
import { type AppError, isAppError, notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findMemberships, replaceMembershipsOfMany } from '../../groups/index.ts';
import {
  assertChangeable,
  certificateName,
  describeChoice,
  recordEvent,
  type CertificateRow,
} from '../../certificates/index.ts';
import { groupChange, ownerChange, type AssignmentChange } from '../certificate/assignment.ts';
import {
  applyProfileChange,
  createProfileLookups,
  prepareProfileChange,
  type ProfileChange,
} from '../certificate/change-ra-profile.ts';
import { assignToMany, findRows, lockRows } from '../certificate/store-changes.ts';
import { resolveGroups, resolveOwner, type UpdateParts } from '../certificate/update.ts';
import type { RejectedCertificate, SetOutcome, SetToChange, SetHooks } from './change-many.ts';
import type { ChangeRequest } from './tables.ts';

/** Number of certificates for which the authority is called in parallel. */
const ASKED_AT_ONCE = 4;

type SharedAssignment = Awaited<ReturnType<typeof resolveAssignment>>;
interface PlannedChange {
  readonly row: CertificateRow;
  readonly list: readonly AssignmentChange[];
}

export async function updateSet(parts: UpdateParts, set: SetToChange, within: SetHooks): Promise<SetOutcome> {
  const wanted = await resolveAssignment(parts, set.asked);
  const { profiles, refused } = await queryAuthorities(parts, set);
  return parts.platform.database.transaction(async (tx) => {
    const left = new Set(await within.begin(tx, set.uuids));
    const early = refused.filter(({ uuid }) => left.has(uuid));
    for (const { uuid } of early) left.delete(uuid);
    const applied = await apply(tx, parts, { ...set, uuids: [...left], wanted, profiles });
    const outcome = { done: applied.done, refused: [...early, ...applied.refused] };
    await within.end(tx, outcome);
    return outcome;
  });
}

/** Rejects nonexistent groups and owners; also called before a change starts. */
export async function resolveAssignment(parts: UpdateParts, { groupUuids, ownerUuid }: ChangeRequest) {
  return {
    groups: await resolveGroups(parts.platform.database.executor, groupUuids),
    owner: await resolveOwner(parts, ownerUuid),
  };
}

/** Asks the new RA profile's authority about each certificate. Runs outside the transaction. */
async function queryAuthorities(parts: UpdateParts, { asked: { raProfileUuid }, uuids, context }: SetToChange) {
  const profiles = new Map<string, ProfileChange>();
  const refused: RejectedCertificate[] = [];
  if (raProfileUuid === undefined) return { profiles, refused };
  const rows = (await findRows(parts.platform.database.executor, uuids)).filter((row) => !row.archived);
  const lookups = createProfileLookups(parts);
  const ask = async (row: CertificateRow): Promise<void> => {
    try {
      const change = await prepareProfileChange(parts, { row, raProfileUuid, lookups }, context);
      if (change) profiles.set(row.uuid, change);
    } catch (error) {
      if (!isAppError(error)) throw error;
      refused.push({ uuid: row.uuid, name: certificateName(row), error });
    }
  };
  for (let from = 0; from < rows.length; from += ASKED_AT_ONCE)
    await Promise.all(rows.slice(from, from + ASKED_AT_ONCE).map(ask));
  return { profiles, refused };
}

async function apply(
  tx: Executor,
  parts: UpdateParts,
  set: SetToChange & { readonly wanted: SharedAssignment; readonly profiles: ReadonlyMap<string, ProfileChange> },
): Promise<SetOutcome> {
  const { wanted, profiles } = set;
  const rows = await lockRows(tx, set.uuids);
  const { changeable, refused } = partitionRows(set.uuids, rows, (row) => {
    assertChangeable(row);
    ownerChange(row, wanted.owner, set.context);
  });
  const memberships =
    wanted.groups && changeable.length > 0
      ? await findMemberships(
          tx,
          'certificates',
          changeable.map(({ uuid }) => uuid),
        )
      : [];
  const groupsNow = Map.groupBy(memberships, ({ object_uuid }) => object_uuid);
  const planned: PlannedChange[] = [];
  for (const row of changeable)
    planned.push({
      row,
      list: [
        ...(await applyProfileChange(tx, parts, { row, change: profiles.get(row.uuid) })),
        ...groupChange(groupsNow.get(row.uuid) ?? [], wanted.groups),
        ...ownerChange(row, wanted.owner, set.context),
      ],
    });
  const changed = planned.filter(({ list }) => list.length > 0);
  if (changed.length > 0) await write(tx, parts, { ...set, changed });
  return { done: changeable.map(({ uuid }) => uuid), refused };
}

/**
 * Separates the changeable certificates from those that no longer exist or must not be changed this way. Each of the
 * latter is rejected with its name.
 */
function partitionRows(
  uuids: readonly string[],
  rows: readonly CertificateRow[],
  assertAllowed: (row: CertificateRow) => void,
) {
  const byUuid = new Map(rows.map((row) => [row.uuid, row]));
  const changeable: CertificateRow[] = [];
  const refused: RejectedCertificate[] = [];
  for (const uuid of uuids) {
    const row = byUuid.get(uuid);
    const error = row ? rejectionOf(() => assertAllowed(row)) : notFound('Certificate', uuid);
    if (error) refused.push({ uuid, name: row ? certificateName(row) : null, error });
    else if (row) changeable.push(row);
  }
  return { changeable, refused };
}

function rejectionOf(judge: () => void): AppError | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

async function write(
  tx: Executor,
  { platform, audit }: UpdateParts,
  { asked, context, wanted, changed }: SetToChange & { readonly wanted: SharedAssignment; readonly changed: readonly PlannedChange[] }, // prettier-ignore
): Promise<void> {
  const at = platform.clock.now();
  const changedBy = (event: AssignmentChange['event']) =>
    changed.filter(({ list }) => list.some((change) => change.event === event)).map(({ row }) => row.uuid);
  const regrouped = changedBy('Update Group');
  if (regrouped.length > 0)
    await replaceMembershipsOfMany(
      tx,
      'certificates',
      regrouped,
      (wanted.groups ?? []).map(({ uuid }) => uuid),
    );
  // The assigned values are the same for all certificates; they differ only in which columns change.
  const assignments = Map.groupBy(
    changed.map(({ row, list }) => ({ uuid: row.uuid, assignment: Object.assign({}, ...list.map((each) => each.assignment)) })), // prettier-ignore
    ({ assignment }) => JSON.stringify(assignment),
  );
  for (const same of assignments.values())
    await assignToMany(
      tx,
      same.map(({ uuid }) => uuid),
      { assignment: same[0]?.assignment ?? {}, at },
    );
  await recordEvent(tx, { audit, context, at }, {
    operation: 'update',
    history: changed.flatMap(({ row, list }) =>
      list.map(({ event, message, additional = null }) => ({ certificate_uuid: row.uuid, status: 'SUCCESS' as const, event, message, additional })),
    ),
    objects: changed.map(({ row }) => ({ uuid: row.uuid, name: row.common_name })),
    data: describeRequested(asked),
  }); // prettier-ignore
}

const describeRequested = ({ ownerUuid, groupUuids, raProfileUuid, ...choice }: ChangeRequest): object => ({
  ...(ownerUuid !== undefined && { ownerUuid }),
  ...(groupUuids && { groupUuids }),
  ...(raProfileUuid !== undefined && { raProfileUuid }),
  ...describeChoice(choice),
});
