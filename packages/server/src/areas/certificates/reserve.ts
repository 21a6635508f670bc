// Writes the intent: request, certificate object in state requested, history, operation and audit record, committed
// before any authority is called. Concurrent reservations share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AttributeEngine, ValueSetToWrite } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { reserve as writeReservations, type Reservation } from './store-operations.ts';

export interface ReservationWithContext {
  readonly reservation: Reservation;
  readonly context: RequestContext;
  /** Values of the issue attributes, kept with the certificate. */
  readonly values: ValueSetToWrite;
}

export interface ReserverOptions {
  readonly database: Database;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
}

export function createReserver(options: ReserverOptions): (item: ReservationWithContext) => Promise<void> {
  const { database, audit, attributes } = options;
  return createBatcher<ReservationWithContext, void>({
    write: async (items) => {
      await database.transaction(async (tx) => {
        await writeReservations(
          tx,
          items.map(({ reservation }) => reservation),
        );
        await attributes.insertValues(
          tx,
          items.map(({ values }) => values),
        );
        await audit.insertMany(
          tx,
          items.map(({ reservation, context }) =>
            audit.record(context, {
              facts: { module: 'certificates', resource: 'certificates', operation: 'request' },
              objects: [{ uuid: reservation.certificateUuid, name: reservation.request.common_name }],
            }),
          ),
        );
      });
      return items.map(() => undefined);
    },
  });
}
