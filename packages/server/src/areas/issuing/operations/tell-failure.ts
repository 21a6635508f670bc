// What came to nothing for good, for whoever asked for it. A person may long have had an answer by then. Clients of
// protocols are told by their protocol, and of what the platform does by itself it tells once it gives up.
import type { Executor } from '../../../platform/database/database.ts';
import type { Events } from '../../../platform/events/outbox.ts';
import type { ActionPerformed } from '../../certificates/index.ts';

/** Within the transaction that records it. */
export async function tellOfFailure(
  tx: Executor,
  events: Pick<Events, 'append'>,
  ended: Required<ActionPerformed>,
): Promise<void> {
  if (ended.requesterUuid === null) return;
  await events.append(tx, 'certificate_action_performed', ended);
}
