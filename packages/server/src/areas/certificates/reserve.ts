// Writes the intent: request, certificate object in state requested, history, operation and audit record, committed
// before any authority is called. Concurrent reservations share a transaction. A key that was revoked as compromised
// ends here, for every caller.
import { createBatcher } from '@signetry/connector-sdk';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AttributeEngine, ValueSetToWrite } from '../attributes/index.ts';
import type { AuditEntry, AuditRecord, AuditTrail } from '../audit/index.ts';
import { replaceMemberships } from '../groups/index.ts';
import { reserve as writeReservations, type Reservation } from './store-operations.ts';

export interface ReservationWithContext {
  readonly reservation: Reservation;
  readonly context: RequestContext;
  /** Values of the issue attributes, kept with the certificate. */
  readonly values: ValueSetToWrite;
  /** Groups that the certificate belongs to from the start. */
  readonly groupUuids: readonly string[];
  /** On whose behalf a protocol server asks. */
  readonly affiliated?: AuditEntry['affiliated'];
}

/** The refusal of a key that was revoked as compromised. */
export const compromisedKey = () =>
  rejected('request: its key was revoked as compromised, and is certified for nobody again; make a new key pair');

export interface ReserverOptions {
  readonly database: Database;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
}

export function createReserver(options: ReserverOptions): (item: ReservationWithContext) => Promise<void> {
  const { database, audit, attributes } = options;
  const reserveOne = createBatcher<ReservationWithContext, boolean>({
    scheduleFlush: database.hot.scheduleFlush,
    write: async (items) => {
      const reservations = items.map(({ reservation }) => reservation);
      const records = items.map((item) => recordOf(item));
      const withValues = items.map(({ values }) => values).filter((set) => set.attributes.length > 0);
      const inGroups = items.filter(({ groupUuids }) => groupUuids.length > 0);
      // One statement is a transaction of its own; most requests have neither attributes nor groups.
      const reserved =
        withValues.length === 0 && inGroups.length === 0
          ? await writeReservations(database.hot, reservations, records)
          : await database.transaction(async (tx) => {
              const written = await writeReservations(tx, reservations, records);
              await attributes.insertValues(
                tx,
                withValues.filter(({ object }) => written.has(object.uuid)),
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
    },
  });

  return async (item) => {
    if (!(await reserveOne(item))) throw compromisedKey();
  };

  function recordOf({ reservation, context, affiliated }: ReservationWithContext): AuditRecord {
    return audit.record(context, {
      facts: { module: 'certificates', resource: 'certificates', operation: 'request' },
      objects: [{ uuid: reservation.certificateUuid, name: reservation.request.common_name }],
      ...(affiliated ? { affiliated } : {}),
    });
  }
}
