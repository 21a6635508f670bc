// Writes reservations with what belongs to them. Concurrent ones share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import type { AttributeEngine, ValueSetToWrite } from '../../attributes/index.ts';
import type { AuditEntry, AuditRecord, AuditTrail } from '../../audit/index.ts';
import { replaceMemberships } from '../../groups/index.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { AwaitApproval } from '../approving/await-approval.ts';
import type { WithReservation } from '../core/locations-port.ts';
import { auditFacts } from '../core/record-event.ts';
import { insertEnrolments } from '../operations/store-enrolments.ts';
import type { Enrolment } from '../operations/work.ts';
import type { Reservation } from '../operations/reservation.ts';
import { reserve } from './store.ts';

export interface ReservationWithContext {
  readonly reservation: Reservation;
  readonly context: RequestContext;
  /** Values of the issue attributes and of custom attributes, kept with the certificate. */
  readonly values: readonly ValueSetToWrite[];
  /** Groups that the certificate belongs to from the start. */
  readonly groupUuids: readonly string[];
  /** On whose behalf a protocol server asks. */
  readonly affiliated?: AuditEntry['affiliated'];
  readonly enrolment?: Enrolment | undefined;
  /** What others write with it. */
  readonly withReservation?: WithReservation | undefined;
  /** Its commit need not be waited for. */
  readonly isFollowed: boolean;
  /** The operation waits for approval by this profile. */
  readonly approvalProfileUuid?: string | undefined;
}

/** Returns false, and writes nothing, when the key of the request is compromised. */
export type WriteReservation = (item: ReservationWithContext) => Promise<boolean>;

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
    write: async (items: readonly ReservationWithContext[]): Promise<readonly boolean[]> => {
      // One statement is a transaction of its own; most requests have no further rows.
      const reserved = items.some(hasMore)
        ? await database.transaction((tx) => writeAll(tx, parts, items))
        : await reserve(executorFor(database, items), reservationsOf(items), recordsOf(parts, items));
      return items.map(({ reservation }) => reserved.has(reservation.certificateUuid));
    },
  });
  // What waits for approval may be refused, and must not take others with it.
  return (item) => (item.approvalProfileUuid === undefined ? batched(item) : writeWaiting(parts, item));
}

const executorFor = ({ hot, relaxed }: Database, items: readonly ReservationWithContext[]) =>
  items.every(({ isFollowed }) => isFollowed) ? relaxed : hot;

const writeWaiting = (parts: WriterParts, item: ReservationWithContext): Promise<boolean> =>
  parts.database.transaction(async (tx) => {
    const { reservation, approvalProfileUuid } = item;
    const { certificateUuid, operationUuid, kind, requesterUuid, requesterName } = reservation;
    if (!(await writeAll(tx, parts, [item])).has(certificateUuid)) return false;
    if (operationUuid !== null && approvalProfileUuid !== undefined) {
      const requester = { uuid: requesterUuid, name: requesterName };
      await parts.awaitApproval(tx, { operationUuid, certificateUuid, kind, requester, approvalProfileUuid });
    }
    return true;
  });

/** Has it rows of its own beside those that every reservation has? */
export const hasMore = ({ values, groupUuids, enrolment, withReservation }: ReservationWithContext): boolean =>
  values.some(({ attributes }) => attributes.length > 0) ||
  groupUuids.length > 0 ||
  enrolment !== undefined ||
  withReservation !== undefined;

/** Reservations with the rows that belong to them; returns the certificates that were reserved. */
async function writeAll(
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
  await insertEnrolments(
    tx,
    sealer,
    there.flatMap(({ reservation: { certificateUuid }, enrolment }) =>
      enrolment ? [{ certificateUuid, enrolment }] : [],
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

/** The record that a certificate was asked for. */
export const recordOf = (
  audit: AuditTrail,
  { reservation, context, affiliated, enrolment }: ReservationWithContext,
): AuditRecord =>
  audit.record(context, {
    facts: auditFacts('request'),
    objects: [{ uuid: reservation.certificateUuid, name: reservation.request.common_name }],
    ...(affiliated ? { affiliated } : {}),
    ...(enrolment ? { additional: { endEntity: enrolment.username } } : {}),
  });
