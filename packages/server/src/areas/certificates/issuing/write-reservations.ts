// Writes reservations with what belongs to them. Concurrent ones share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { AttributeEngine, ValueSetToWrite } from '../../attributes/index.ts';
import type { AuditEntry, AuditRecord, AuditTrail } from '../../audit/index.ts';
import { replaceMemberships } from '../../groups/index.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import { auditFacts } from '../core/record-event.ts';
import { insertEnrolments } from '../operations/store-enrolments.ts';
import type { Enrolment } from '../operations/work.ts';
import { reserve, type Reservation } from './store.ts';

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
}

/** Returns false, and writes nothing, when the key of the request is compromised. */
export type WriteReservation = (item: ReservationWithContext) => Promise<boolean>;

export function createReservationWriter(options: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
}): WriteReservation {
  const { database, sealer, audit, attributes } = options;

  async function write(items: readonly ReservationWithContext[]): Promise<readonly boolean[]> {
    const reservations = items.map(({ reservation }) => reservation);
    const records = items.map((item) => recordOf(audit, item));
    const withValues = items.flatMap(({ values }) => values).filter((set) => set.attributes.length > 0);
    const inGroups = items.filter(({ groupUuids }) => groupUuids.length > 0);
    const enrolments = items.flatMap(({ reservation: { certificateUuid }, enrolment }) =>
      enrolment ? [{ certificateUuid, enrolment }] : [],
    );
    // One statement is a transaction of its own; most requests have no further rows.
    const reserved =
      withValues.length + inGroups.length + enrolments.length === 0
        ? await reserve(database.hot, reservations, records)
        : await database.transaction(async (tx) => {
            const written = await reserve(tx, reservations, records);
            await attributes.insertValues(
              tx,
              withValues.filter(({ object }) => written.has(object.uuid)),
            );
            await insertEnrolments(
              tx,
              sealer,
              enrolments.filter(({ certificateUuid }) => written.has(certificateUuid)),
            );
            for (const { reservation, groupUuids } of inGroups)
              if (written.has(reservation.certificateUuid))
                await replaceMemberships(
                  tx,
                  { resource: 'certificates', uuid: reservation.certificateUuid },
                  groupUuids,
                );
            return written;
          });
    return items.map(({ reservation }) => reserved.has(reservation.certificateUuid));
  }

  return createBatcher({ scheduleFlush: database.hot.scheduleFlush, write });
}

const recordOf = (
  audit: AuditTrail,
  { reservation, context, affiliated, enrolment }: ReservationWithContext,
): AuditRecord =>
  audit.record(context, {
    facts: auditFacts('request'),
    objects: [{ uuid: reservation.certificateUuid, name: reservation.request.common_name }],
    ...(affiliated ? { affiliated } : {}),
    ...(enrolment ? { additional: { endEntity: enrolment.username } } : {}),
  });
