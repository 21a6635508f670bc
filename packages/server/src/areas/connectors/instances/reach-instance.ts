// Access to an instance at its connector, and its current status there.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError } from '../../../kernel/errors.ts';
import type { Clients, ConnectorClient } from '../clients.ts';
import { PROBE_TIMEOUT_MS } from '../transport.ts';

type WithConnector = { readonly connector_uuid: string };

export interface InstanceReference {
  readonly name: string;
  readonly connector_uuid: string | null;
}

/** Rejects an instance whose connector was removed. */
export function assertReachable<Place extends InstanceReference>(
  row: Place,
  what: string,
): asserts row is Place & WithConnector {
  if (row.connector_uuid !== null) return;
  throw new AppError('invalid_state', {
    what,
    name: row.name,
    state: 'without its connector',
    needed: 'a connector',
  });
}

/** Status of an instance after calling its connector. */
export type InstanceStatus = 'connected' | 'unavailable' | 'unknown to its connector' | 'without connector';

export type InspectionResult<Answer> =
  | { readonly status: 'connected'; readonly answer: Answer }
  | { readonly status: Exclude<InstanceStatus, 'connected'>; readonly error?: AppError };

/** A connector that is down must not hide the instance from users. */
export async function inspectInstance<Answer>(
  connectors: Pick<Clients, 'client'>,
  { connector_uuid: connectorUuid }: Pick<InstanceReference, 'connector_uuid'>,
  ask: (client: ConnectorClient, options: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<Answer>, // prettier-ignore
  { signal }: Pick<RequestContext, 'signal'>,
): Promise<InspectionResult<Answer>> {
  if (connectorUuid === null) return { status: 'without connector' };
  try {
    const client = await connectors.client(connectorUuid);
    return { status: 'connected', answer: await ask(client, { signal, timeoutMs: PROBE_TIMEOUT_MS }) };
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    return { status: isAppError(error, 'object_not_found') ? 'unknown to its connector' : 'unavailable', error };
  }
}
