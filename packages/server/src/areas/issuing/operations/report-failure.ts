// Reports a permanent failure to the requester. A user may have received a response long before. Protocol clients are
// notified through their protocol, and the platform reports failures of its own operations once it gives up.
import type { Executor } from '../../../platform/database/database.ts';
import type { Events } from '../../../platform/events/outbox.ts';
import type { ActionPerformed } from '../../certificates/index.ts';

/** Call this in the transaction that records the failure. */
export async function reportFailure(
  tx: Executor,
  events: Pick<Events, 'append'>,
  ended: Required<ActionPerformed>,
): Promise<void> {
  if (ended.requesterUuid === null) return;
  await events.append(tx, 'certificate_action_performed', ended);
}
