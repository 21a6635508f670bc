// Making an authority at its connector. An answer that does not come says nothing about the authority: it may be there,
// with a key of its own. A connector that repeats results by key is asked again under the same key.
import { IDEMPOTENCY_FEATURE, type OperationRequest } from '@signetry/contract';
import type { Platform } from '../../platform/platform.ts';
import { explained, isOutcomeUnknown, type ConnectorClient } from '../connectors/index.ts';
import { instanceOperations, type Instance } from './instance-operations.ts';

const { createAuthorityInstance } = instanceOperations;

/** Calls in all. */
const MAX_CALLS = 3;

export async function createAtConnector(
  { log }: Platform,
  call: {
    readonly client: ConnectorClient;
    readonly body: NonNullable<OperationRequest<typeof createAuthorityInstance>['body']>;
    /** Under which the connector repeats its result. */
    readonly key: string;
    readonly features: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<Instance> {
  const { client, body, key, features, signal } = call;
  const replays = features.includes(IDEMPOTENCY_FEATURE);
  for (let made = 1; ; made += 1) {
    try {
      return await client.call(createAuthorityInstance, { body }, { signal, idempotencyKey: key });
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      if (replays && made < MAX_CALLS && !signal.aborted) continue;
      log.warn(
        { authority: body.name, connector: client.name, key },
        'an authority may have come into being at its connector without the platform',
      );
      throw explained(
        error,
        `it may have made the authority ${body.name} all the same, which the platform does not know then: look for that name at the connector, and remove it there or choose another name before you create it again`,
      );
    }
  }
}
