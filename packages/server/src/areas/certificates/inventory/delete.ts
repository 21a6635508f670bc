// Deletes certificates, one or many. What stands against it is looked for inside the transaction that deletes, and named.
import type { BulkOperationResponse, RemoveCertificateDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { findMemberships, replaceMemberships } from '../../groups/index.ts';
import type { Issuers } from '../core/issuers.ts';
import type { Users } from '../core/ports.ts';
import { deleteCertificates, findUnderWork, lockForDeletion, type DeletableRow } from './store-deletion.ts';
import { findProfilesOfCaCertificates } from '../core/store-ca.ts';

/** One transaction takes them all, so that the next list is without them when the answer comes. */
export const MAX_DELETIONS = 1_000;
/** Reasons named in the answer of a deletion of many; the count tells the rest. */
const MAX_NAMED_FAILURES = 10;

export interface DeleterOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly issuers: Issuers;
  readonly users: Users;
}

interface Outcome {
  readonly deleted: readonly DeletableRow[];
  /** Reason by identifier as the caller wrote it. */
  readonly refused: ReadonlyMap<string, AppError>;
}

export function createDeleter(options: DeleterOptions) {
  const { platform, audit, attributes, issuers, users } = options;
  const { database } = platform;

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const { refused } = await removeAll([uuid], context);
    for (const error of refused.values()) throw error;
  }

  async function removeMany(request: RemoveCertificateDto, context: RequestContext): Promise<BulkOperationResponse> {
    const { uuids = [], filters } = request;
    if (filters !== undefined && (filters.length > 0 || uuids.length === 0))
      throw new AppError('not_supported', { what: 'Deleting certificates by filters' });
    const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
    if (wanted.length > MAX_DELETIONS)
      throw new AppError('invalid_fields', {
        problems: [`uuids: at most ${MAX_DELETIONS} certificates are deleted at once`],
      });
    const { deleted, refused } = await removeAll(wanted, context);
    return {
      status: refused.size === 0 ? 'SUCCESS' : deleted.length === 0 ? 'FAILED' : 'PARTIAL',
      failedItem: refused.size,
      message: summary(deleted.length, [...refused.values()]),
    };
  }

  async function removeAll(uuids: readonly string[], context: RequestContext): Promise<Outcome> {
    const outcome = await database.transaction(async (tx) => {
      const known = uuids.filter(isUuid);
      const rows = known.length === 0 ? [] : await lockForDeletion(tx, known);
      const obstacles = await findObstacles(tx, rows);
      const deleted = rows.filter((row) => !obstacles.has(row.uuid));
      if (deleted.length > 0) await removeRows(tx, deleted, context);
      const found = new Set(rows.map((row) => row.uuid));
      const refused = new Map(obstacles);
      for (const uuid of uuids) if (!found.has(uuid.toLowerCase())) refused.set(uuid, notFound('Certificate', uuid));
      return { deleted, refused };
    });
    if (outcome.deleted.some(({ trusted_ca }) => trusted_ca !== null)) issuers.forget();
    return outcome;
  }

  /** What stands against the deletion of each. */
  async function findObstacles(tx: Executor, rows: readonly DeletableRow[]): Promise<Map<string, AppError>> {
    const obstacles = new Map<string, AppError>();
    if (rows.length === 0) return obstacles;
    const uuids = rows.map((row) => row.uuid);
    const usernames = new Map(
      (await users.findUsersOfCertificates(tx, uuids)).map((user) => [user.certificateUuid, user.username]),
    );
    const underWork = await findUnderWork(tx, uuids);
    const profiles = await findProfilesOfCaCertificates(tx, uuids);
    for (const row of rows) {
      const name = row.common_name || row.uuid;
      const username = usernames.get(row.uuid);
      const profile = profiles.find((each) => each.ca_certificate_uuid === row.uuid);
      const problem =
        (username !== undefined && `Certificate ${name} cannot be deleted: user ${username} signs in with it; give the user another one first`) ||
        (underWork.has(row.uuid) && `Certificate ${name} cannot be deleted: its authority is being asked about it; try again when that has ended`) ||
        (profile && `Certificate ${name} cannot be deleted: RA profile ${profile.name} issues under it`); // prettier-ignore
      if (problem) obstacles.set(row.uuid, rejected(problem));
    }
    return obstacles;
  }

  async function removeRows(tx: Executor, rows: readonly DeletableRow[], context: RequestContext): Promise<void> {
    const uuids = rows.map((row) => row.uuid);
    await attributes.removeObjects(tx, 'certificates', uuids);
    const grouped = new Set(
      (await findMemberships(tx, 'certificates', uuids)).map((membership) => membership.object_uuid),
    );
    for (const uuid of grouped) await replaceMemberships(tx, { resource: 'certificates', uuid }, []);
    await deleteCertificates(tx, rows);
    await audit.append(tx, context, {
      facts: { module: 'certificates', resource: 'certificates', operation: 'delete' },
      objects: rows.map((row) => ({ uuid: row.uuid, name: row.common_name })),
      data: { fingerprints: rows.map((row) => row.fingerprint), serialNumbers: rows.map((row) => row.serial_number) },
    });
  }

  return { remove, removeMany };
}

function summary(deleted: number, failures: readonly AppError[]): string {
  if (failures.length === 0) return `${deleted} ${deleted === 1 ? 'certificate was' : 'certificates were'} deleted.`;
  const named = failures.slice(0, MAX_NAMED_FAILURES).map((error) => error.message);
  const rest = failures.length - named.length;
  return `${deleted} of ${deleted + failures.length} certificates were deleted. Not deleted: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}
