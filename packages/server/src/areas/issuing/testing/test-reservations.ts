// Reservations that issuing writes before it calls an authority, for tests that start at that point.
import { newUuid } from '../../../kernel/ids.ts';
import type { Reservation } from '../operations/reservation.ts';

type ReservationSpec = Pick<Reservation, 'raProfileUuid' | 'request' | 'createdAt'>;

/** Returns a new request from erin, with an operation whose lease expires as it begins. */
export const reservationFor = (needed: ReservationSpec, facts: Partial<Reservation> = {}): Reservation => ({
  certificateUuid: newUuid(),
  operationUuid: newUuid(),
  kind: 'issue',
  predecessorUuid: null,
  requesterUuid: null,
  requesterName: 'erin',
  payload: {},
  leasedBy: newUuid(),
  leasedUntil: needed.createdAt,
  historyUuid: newUuid(),
  owner: null,
  protocol: null,
  ...needed,
  ...facts,
});
