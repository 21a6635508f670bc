// What issuing writes down before an authority is asked, for tests that begin there.
import { newUuid } from '../../../kernel/ids.ts';
import type { Reservation } from '../operations/reservation.ts';

type Needed = Pick<Reservation, 'raProfileUuid' | 'request' | 'createdAt'>;

/** A new request of one erin, with an operation whose lease ends as it begins. */
export const reservationFor = (needed: Needed, facts: Partial<Reservation> = {}): Reservation => ({
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
