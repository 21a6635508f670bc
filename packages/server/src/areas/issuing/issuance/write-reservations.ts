// Writes reservations with their associated rows. Concurrent reservations share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import type { AttributeEngine, ValueSetToWrite } from '../../attributes/index.ts';
import type { AuditEntry, AuditRecord, AuditTrail } from '../../audit/index.ts';
import { replaceMemberships } from '../../groups/index.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { AwaitApproval } from '../approving/await-approval.ts';
import { auditFacts, type ReservationHook } from '../../certificates/index.ts';
import { insertEnrollments } from '../operations/store-enrollments.ts';
import { findInProgress, lockPredecessors, type DesiredSuccessor } from '../operations/store-successions.ts';
import type { SuccessorRequest } from '../operations/succession.ts';
import type { Enrollment } from '../operations/work.ts';
import type { Reservation } from '../operations/reservation.ts';
import type { Durability } from './durability.ts';
import { reserve } from './store.ts';

export interface ReservationWithContext {
  readonly reservation: Reservation;
  readonly context: RequestContext;
  /** Values of the issuance attributes and custom attributes, stored with the certificate. */
  readonly values: readonly ValueSetToWrite[];
  /** The certificate's initial groups. */
  readonly groupUuids: readonly string[];
  /** Account on whose behalf a protocol server makes the request. */
  readonly affiliated?: AuditEntry['affiliated'];
  readonly enrollment?: Enrollment | undefined;
  /** Writes the caller's additional rows with the reservation. */
  readonly withReservation?: ReservationHook | undefined;
  readonly durability: Exclude<Durability, 'writtenAtOnce'>;
  /** Approval profile that the operation waits for. */
  readonly approvalProfileUuid?: string | undefined;
  /** When the caller requested a successor. */
  readonly begunAt?: Date | undefined;
}

/** Reason why nothing was written: the request's key is compromised, or another successor is in progress. */
export type ReservationObstacle = 'compromised' | SuccessorRequest;

/** Returns why nothing was written, or undefined if it was. */
export type WriteReservation = (item: ReservationWithContext) => Promise<ReservationObstacle | undefined>;

interface WriterParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly awaitApproval: AwaitApproval;
}

export function createReservationWriter(parts: WriterParts): WriteReservation {
  const { database } = parts;
  const batched = createBatcher({
    scheduleFlush: database.hot.scheduleFlush,
    write: async (items: readonly ReservationWithContext[]): Promise<readonly (ReservationObstacle | undefined)[]> => {
      // A single statement is its own transaction; most requests have no additional rows.
      if (items.some(hasMore)) return database.transaction((tx) => writeAll(tx, parts, items));
      const reserved = await reserve(executorFor(database, items), reservationsOf(items), recordsOf(parts, items));
      return items.map(({ reservation }) => (reserved.has(reservation.certificateUuid) ? undefined : 'compromised'));
    },
  });
  // A reservation that waits for approval can be rejected, and such a rejection must not fail the others in its batch.
  return (item) => (item.approvalProfileUuid === undefined ? batched(item) : writeWaiting(parts, item));
}

const executorFor = ({ hot, relaxed }: Database, items: readonly ReservationWithContext[]) =>
  items.every(({ durability }) => durability === 'reservedMeanwhile') ? relaxed : hot;

const writeWaiting = (parts: WriterParts, item: ReservationWithContext): Promise<ReservationObstacle | undefined> =>
  parts.database.transaction(async (tx) => {
    const { reservation, approvalProfileUuid } = item;
    const { certificateUuid, operationUuid, kind, requesterUuid, requesterName } = reservation;
    const [unreserved] = await writeAll(tx, parts, [item]);
    if (unreserved !== undefined) return unreserved;
    if (operationUuid !== null && approvalProfileUuid !== undefined) {
      const requester = { uuid: requesterUuid, name: requesterName };
      await parts.awaitApproval(tx, { operationUuid, certificateUuid, kind, requester, approvalProfileUuid });
    }
    return undefined;
  });

/**
 * Returns whether the reservation requires more than the single statement that writes the rows of every reservation.
 */
export const hasMore = (item: ReservationWithContext): boolean => hasRows(item) || isSuccession(item);

const isSuccession = ({ reservation }: ReservationWithContext): boolean =>
  reservation.predecessorUuid !== null && reservation.operationUuid !== null;

const hasRows = ({ values, groupUuids, enrollment, withReservation }: ReservationWithContext): boolean =>
  values.some(({ attributes }) => attributes.length > 0) ||
  groupUuids.length > 0 ||
  enrollment !== undefined ||
  withReservation !== undefined;

/** Writes reservations with their associated rows; returns why each was not written. */
async function writeAll(
  tx: Executor,
  parts: WriterParts,
  items: readonly ReservationWithContext[],
): Promise<readonly (ReservationObstacle | undefined)[]> {
  const underWay = await findOtherSuccessors(tx, items);
  const free = items.filter((item) => !underWay.has(item));
  const written = free.length === 0 ? new Set<string>() : await writeUncontested(tx, parts, free);
  return items.map(
    (item) => underWay.get(item) ?? (written.has(item.reservation.certificateUuid) ? undefined : 'compromised'),
  );
}

/** Finds successors of the same certificates that other callers requested, on this or another node. */
async function findOtherSuccessors(
  tx: Executor,
  items: readonly ReservationWithContext[],
): Promise<ReadonlyMap<ReservationWithContext, SuccessorRequest>> {
  const others = new Map<ReservationWithContext, SuccessorRequest>();
  const successions = items.filter(isSuccession);
  if (successions.length === 0) return others;
  const wanted = successions.map(desiredSuccessorOf);
  await lockPredecessors(
    tx,
    wanted.map(({ predecessorUuid }) => predecessorUuid),
  );
  const found = await findInProgress(tx, wanted);
  const first = new Map(found.map((each) => [each.predecessorUuid, each]));
  for (const item of successions) {
    const { predecessorUuid, successorUuid, begunAt } = desiredSuccessorOf(item);
    const other = first.get(predecessorUuid);
    if (other) others.set(item, other);
    else {
      const { requesterName } = item.reservation;
      first.set(predecessorUuid, {
        predecessorUuid,
        successorUuid,
        state: 'pending',
        requesterName,
        createdAt: begunAt,
      });
    }
  }
  return others;
}

const desiredSuccessorOf = ({ reservation, begunAt }: ReservationWithContext): DesiredSuccessor => ({
  predecessorUuid: reservation.predecessorUuid ?? '',
  successorUuid: reservation.certificateUuid,
  kind: reservation.kind === 'issue' ? null : reservation.kind,
  begunAt: begunAt ?? reservation.createdAt,
});

/** Returns the reserved certificates. */
async function writeUncontested(
  tx: Executor,
  parts: WriterParts,
  items: readonly ReservationWithContext[],
): Promise<ReadonlySet<string>> {
  const { attributes, sealer } = parts;
  const written = await reserve(tx, reservationsOf(items), recordsOf(parts, items));
  const there = items.filter(({ reservation }) => written.has(reservation.certificateUuid));
  const values = items.flatMap((item) => item.values);
  await attributes.insertValues(
    tx,
    values.filter((set) => set.attributes.length > 0 && written.has(set.object.uuid)),
  );
  await insertEnrollments(
    tx,
    sealer,
    there.flatMap(({ reservation: { certificateUuid }, enrollment }) =>
      enrollment ? [{ certificateUuid, enrollment }] : [],
    ),
  );
  for (const { reservation, groupUuids, withReservation } of there) {
    const { certificateUuid: uuid } = reservation;
    if (groupUuids.length > 0) await replaceMemberships(tx, { resource: 'certificates', uuid }, groupUuids);
    await withReservation?.(tx, uuid);
  }
  return written;
}

const reservationsOf = (items: readonly ReservationWithContext[]): Reservation[] =>
  items.map(({ reservation }) => reservation);

const recordsOf = ({ audit }: WriterParts, items: readonly ReservationWithContext[]): AuditRecord[] =>
  items.map((item) => recordOf(audit, item));

/** Returns the audit record of a certificate request. */
export const recordOf = (
  audit: AuditTrail,
  { reservation, context, affiliated, enrollment }: ReservationWithContext,
): AuditRecord =>
  audit.record(context, {
    facts: auditFacts('request'),
    objects: [{ uuid: reservation.certificateUuid, name: reservation.request.common_name }],
    ...(affiliated ? { affiliated } : {}),
    ...(enrollment ? { additional: { endEntity: enrollment.username } } : {}),
  });
