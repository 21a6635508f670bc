// Deletes a single certificate or a batch of a bulk change. Obstacles are checked in the deleting transaction and named
// in the error.
import type { RequestContext } from '../../../kernel/actor.ts';
import { type AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findMemberships, replaceMembershipsOfMany } from '../../groups/index.ts';
import {
  auditFacts,
  certificateName,
  describeChoice,
  findProfilesOfCaCertificates,
  type Issuers,
  type Users,
} from '../../certificates/index.ts';
import type { FindMatched, Matched } from '../search/matched.ts';
import type { RejectedCertificate, SetOutcome, SetToChange, SetHooks } from './change-many.ts';
import {
  deleteCertificates,
  findOpenOperations,
  lockForDeletion,
  type DeletableRow,
  type OpenOperationState,
} from './store-deletion.ts';

export interface DeleterParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly issuers: Issuers;
  readonly users: Pick<Users, 'findUsersOfCertificates'>;
  readonly findMatched: FindMatched;
}

/** Certificates to delete in one transaction, and the search that found them. */
interface Deletion extends SetToChange {
  /** Limits the deletion to certificates whose locked rows still match, because it cannot be undone. */
  readonly matched: Matched | undefined;
}

export function createDeleter(parts: DeleterParts) {
  const { platform, issuers, findMatched } = parts;

  /** Runs in one transaction. */
  async function deleteSet(set: SetToChange, within?: SetHooks): Promise<SetOutcome> {
    const { filters, text } = set.asked;
    const matched = filters || text !== undefined ? findMatched(set.asked, set.context, 'delete') : undefined;
    let areIssuersGone = false;
    const work = async (tx: Executor): Promise<SetOutcome> => {
      const uuids = within ? await within.begin(tx, set.uuids) : set.uuids;
      const { deleted, refused } = await deleteRows(tx, parts, { ...set, uuids, matched });
      areIssuersGone = deleted.some(({ trusted_ca }) => trusted_ca !== null);
      const outcome = { done: deleted.map(({ uuid }) => uuid), refused };
      await within?.end(tx, outcome);
      return outcome;
    };
    const outcome = await (matched ?? platform.database).transaction(work);
    if (areIssuersGone) issuers.forget();
    return outcome;
  }

  return {
    deleteSet,
    async deleteOne(uuid: string, context: RequestContext): Promise<void> {
      if (!isUuid(uuid)) throw notFound('Certificate', uuid);
      const { refused } = await deleteSet({ asked: {}, uuids: [uuid.toLowerCase()], context });
      for (const { error } of refused) throw error;
    },
  };
}

async function deleteRows(tx: Executor, parts: DeleterParts, { asked, uuids, matched, context }: Deletion) {
  const rows = uuids.length === 0 ? [] : await lockForDeletion(tx, uuids);
  const matching = matched ? await matched.among(tx, rows) : rows;
  const obstacles = await findObstacles(tx, parts.users, matching);
  const deleted = matching.filter(({ uuid }) => !obstacles.has(uuid));
  if (deleted.length > 0) await removeRows(tx, parts, { rows: deleted, asked, context });
  return { deleted, refused: rejectedAmong(uuids, { rows, deleted, obstacles }) };
}

function rejectedAmong(
  uuids: readonly string[],
  facts: {
    readonly rows: readonly DeletableRow[];
    readonly deleted: readonly DeletableRow[];
    readonly obstacles: ReadonlyMap<string, AppError>;
  },
): RejectedCertificate[] {
  const known = new Map(facts.rows.map((row) => [row.uuid, row]));
  const gone = new Set(facts.deleted.map(({ uuid }) => uuid));
  return uuids
    .filter((uuid) => !gone.has(uuid))
    .map((uuid) => {
      const row = known.get(uuid);
      if (!row) return { uuid, name: null, error: notFound('Certificate', uuid) };
      const error =
        facts.obstacles.get(uuid) ?? rejected(`Certificate ${certificateName(row)} no longer matches the search.`);
      return { uuid, name: certificateName(row), error };
    });
}

/** Returns, for each certificate that cannot be deleted, the reason. */
async function findObstacles(
  tx: Executor,
  users: DeleterParts['users'],
  rows: readonly DeletableRow[],
): Promise<Map<string, AppError>> {
  const obstacles = new Map<string, AppError>();
  if (rows.length === 0) return obstacles;
  const uuids = rows.map((row) => row.uuid);
  const signingIn = await users.findUsersOfCertificates(tx, uuids);
  const usernames = new Map(signingIn.map((user) => [user.certificateUuid, user.username]));
  const underWork = await findOpenOperations(tx, uuids);
  const profiles = await findProfilesOfCaCertificates(tx, uuids);
  for (const row of rows) {
    const problem = problemOf({
      username: usernames.get(row.uuid),
      work: underWork.get(row.uuid),
      // Internal profiles are excluded: they serve certificates issued elsewhere, and users could not remove them.
      profile: profiles.find((each) => !each.internal && each.ca_certificate_uuid === row.uuid),
    });
    if (problem !== undefined)
      obstacles.set(row.uuid, rejected(`Cannot delete certificate ${row.common_name || row.uuid}: ${problem}`));
  }
  return obstacles;
}

function problemOf(facts: {
  readonly username: string | undefined;
  readonly work: OpenOperationState | undefined;
  readonly profile: { readonly name: string } | undefined;
}): string | undefined {
  const { username, work, profile } = facts;
  if (username !== undefined)
    return `user ${username} signs in with it; assign a different certificate to the user first`;
  if (work === 'pending') return 'an operation on it is in progress; try again when it has finished';
  if (work) return 'an operation on it is waiting for approval; approve or reject it first';
  return profile && `RA profile ${profile.name} issues under it`;
}

async function removeRows(
  tx: Executor,
  { attributes, audit }: DeleterParts,
  { rows, asked, context }: Pick<Deletion, 'asked' | 'context'> & { readonly rows: readonly DeletableRow[] },
): Promise<void> {
  const uuids = rows.map((row) => row.uuid);
  await attributes.removeObjects(tx, 'certificates', uuids);
  const memberships = await findMemberships(tx, 'certificates', uuids);
  const grouped = [...new Set(memberships.map((membership) => membership.object_uuid))];
  if (grouped.length > 0) await replaceMembershipsOfMany(tx, 'certificates', grouped, []);
  await deleteCertificates(tx, rows);
  await audit.append(tx, context, {
    facts: auditFacts('delete'),
    objects: rows.map((row) => ({ uuid: row.uuid, name: row.common_name })),
    data: {
      fingerprints: rows.map((row) => row.fingerprint),
      serialNumbers: rows.map((row) => row.serial_number),
      ...describeChoice(asked),
    },
  });
}
