// Deletes certificates: one, those of a list, or all that match filters. Obstacles are looked for inside the
// transaction that deletes, and named in the refusal.
import type { BulkOperationResponse, RemoveCertificateDto, SearchFilterRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findMemberships, replaceMemberships } from '../../groups/index.ts';
import { describeFilters } from '../core/describe-filters.ts';
import type { Issuers } from '../core/issuers.ts';
import type { Users } from '../core/ports.ts';
import { auditFacts } from '../core/record-event.ts';
import { findProfilesOfCaCertificates } from '../core/store-ca.ts';
import {
  deleteCertificates,
  findUnderWork,
  lockForDeletion,
  type DeletableRow,
  type OpenWork,
} from './store-deletion.ts';

/** Those of a list are deleted by one transaction, those that match filters by one for every so many. */
export const MAX_DELETIONS = 1_000;
/** Reasons named in the answer of a deletion of many; the count tells the rest. */
const MAX_NAMED_FAILURES = 10;

export interface DeleterParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly issuers: Issuers;
  readonly users: Pick<Users, 'findUsersOfCertificates'>;
  readonly findMatched: FindMatched;
}

export interface Matched {
  readonly filters: readonly SearchFilterRequestDto[];
  readonly uuids: readonly string[];
  /** Those of the rows that match still. */
  readonly among: <Row extends { readonly uuid: string }>(tx: Executor, rows: readonly Row[]) => Promise<Row[]>;
  /** A transaction in which `among` may be asked: a slow expression ends it. */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
}

/** Refuses filters that cannot be read, and those that too many certificates match. */
export type FindMatched = (
  filters: readonly SearchFilterRequestDto[],
  context: RequestContext,
  /** What is to be done with them. */
  action: 'update' | 'delete',
) => Promise<Matched>;

interface Outcome {
  readonly deleted: readonly DeletableRow[];
  /** Reason by identifier as the caller wrote it. */
  readonly refused: ReadonlyMap<string, AppError>;
}

/** What one transaction deletes. */
interface Deletion {
  readonly uuids: readonly string[];
  /** Only those that match these filters still, as their rows are when they are locked. */
  readonly matched?: Matched;
}

export function createDeleter(parts: DeleterParts) {
  return {
    async remove(uuid: string, context: RequestContext): Promise<void> {
      const { refused } = await removeAll(parts, { uuids: [uuid] }, context);
      for (const error of refused.values()) throw error;
    },

    async removeMany(request: RemoveCertificateDto, context: RequestContext): Promise<BulkOperationResponse> {
      const filters = filtersOf(request, 'delete');
      if (!filters) return answerOf(await removeAll(parts, { uuids: listOf(request) }, context));
      return answerOf(await removeMatched(parts, await parts.findMatched(filters, context, 'delete'), context));
    },
  };
}

/** Undefined where certificates are listed. Without any filter the whole inventory would match, which nobody means. */
export function filtersOf(
  { uuids = [], filters }: RemoveCertificateDto,
  what: 'update' | 'delete',
): readonly SearchFilterRequestDto[] | undefined {
  if (filters === undefined || (filters.length === 0 && uuids.length > 0)) return undefined;
  if (uuids.length > 0) throw refusedField('a list of certificates and filters: give one of them, not both');
  if (filters.length === 0) throw refusedField(`filters: at least one is needed to ${what} what matches`);
  return filters;
}

function listOf({ uuids = [] }: RemoveCertificateDto): string[] {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  if (wanted.length > MAX_DELETIONS)
    throw refusedField(`uuids: at most ${MAX_DELETIONS} certificates can be deleted at once`);
  return wanted;
}

const refusedField = (problem: string) => new AppError('invalid_fields', { problems: [problem] });

const answerOf = ({ deleted, refused }: Outcome): BulkOperationResponse => ({
  status: refused.size === 0 ? 'SUCCESS' : deleted.length === 0 ? 'FAILED' : 'PARTIAL',
  failedItem: refused.size,
  message: summary(deleted.length, [...refused.values()]),
});

/** Part by part, each in a transaction of its own: one for all would hold their locks for as long as it takes. */
async function removeMatched(parts: DeleterParts, matched: Matched, context: RequestContext): Promise<Outcome> {
  const deleted: DeletableRow[] = [];
  const refused = new Map<string, AppError>();
  for (let from = 0; from < matched.uuids.length; from += MAX_DELETIONS) {
    context.signal.throwIfAborted();
    const uuids = matched.uuids.slice(from, from + MAX_DELETIONS);
    const outcome = await removeAll(parts, { uuids, matched }, context);
    deleted.push(...outcome.deleted);
    for (const [uuid, error] of outcome.refused) refused.set(uuid, error);
  }
  return { deleted, refused };
}

async function removeAll(parts: DeleterParts, { uuids, matched }: Deletion, context: RequestContext): Promise<Outcome> {
  const { platform, users, issuers } = parts;
  const work = async (tx: Executor): Promise<Outcome> => {
    const known = uuids.filter(isUuid);
    const locked = known.length === 0 ? [] : await lockForDeletion(tx, known);
    const rows = matched ? await matched.among(tx, locked) : locked;
    const obstacles = await findObstacles(tx, users, rows);
    const deleted = rows.filter((row) => !obstacles.has(row.uuid));
    if (deleted.length > 0) await removeRows(tx, parts, { rows: deleted, filters: matched?.filters, context });
    // What does not match any more, or is gone, is nothing that the filters ask for.
    if (matched) return { deleted, refused: obstacles };
    const found = new Set(rows.map((row) => row.uuid));
    const refused = new Map(obstacles);
    for (const uuid of uuids) if (!found.has(uuid.toLowerCase())) refused.set(uuid, notFound('Certificate', uuid));
    return { deleted, refused };
  };
  const outcome = await (matched ? matched.transaction(work) : platform.database.transaction(work));
  if (outcome.deleted.some(({ trusted_ca }) => trusted_ca !== null)) issuers.forget();
  return outcome;
}

/** Why each cannot be deleted. */
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
  const underWork = await findUnderWork(tx, uuids);
  const profiles = await findProfilesOfCaCertificates(tx, uuids);
  for (const row of rows) {
    const problem = problemOf({
      username: usernames.get(row.uuid),
      work: underWork.get(row.uuid),
      profile: profiles.find((each) => each.ca_certificate_uuid === row.uuid),
    });
    if (problem !== undefined)
      obstacles.set(row.uuid, rejected(`Certificate ${row.common_name || row.uuid} cannot be deleted: ${problem}`));
  }
  return obstacles;
}

function problemOf(facts: {
  readonly username: string | undefined;
  readonly work: OpenWork | undefined;
  readonly profile: { readonly name: string } | undefined;
}): string | undefined {
  const { username, work, profile } = facts;
  if (username !== undefined) return `user ${username} signs in with it; give the user another certificate first`;
  if (work === 'pending') return 'an operation on it is in progress; try again when it has ended';
  if (work) return 'an operation on it waits for approval; have it approved or rejected first';
  return profile && `RA profile ${profile.name} issues under it`;
}

async function removeRows(
  tx: Executor,
  { attributes, audit }: DeleterParts,
  {
    rows,
    filters,
    context,
  }: {
    readonly rows: readonly DeletableRow[];
    /** That asked for them. */
    readonly filters: readonly SearchFilterRequestDto[] | undefined;
    readonly context: RequestContext;
  },
): Promise<void> {
  const uuids = rows.map((row) => row.uuid);
  await attributes.removeObjects(tx, 'certificates', uuids);
  const memberships = await findMemberships(tx, 'certificates', uuids);
  const grouped = new Set(memberships.map((membership) => membership.object_uuid));
  for (const uuid of grouped) await replaceMemberships(tx, { resource: 'certificates', uuid }, []);
  await deleteCertificates(tx, rows);
  await audit.append(tx, context, {
    facts: auditFacts('delete'),
    objects: rows.map((row) => ({ uuid: row.uuid, name: row.common_name })),
    data: {
      fingerprints: rows.map((row) => row.fingerprint),
      serialNumbers: rows.map((row) => row.serial_number),
      ...(filters && describeFilters(filters)),
    },
  });
}

function summary(deleted: number, failures: readonly AppError[]): string {
  if (failures.length === 0) return `${deleted} ${deleted === 1 ? 'certificate was' : 'certificates were'} deleted.`;
  const named = failures.slice(0, MAX_NAMED_FAILURES).map((error) => error.message);
  const rest = failures.length - named.length;
  return `${deleted} of ${deleted + failures.length} certificates were deleted. Not deleted: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}
