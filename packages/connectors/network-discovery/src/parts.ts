// Assembles the parts of the connector.
import { createIdempotencyJournal, type ConnectorContext, type IdempotencyJournal } from '@signetry/connector-sdk';
import { DiscoveryRuns } from './jobs/discovery-runs.ts';
import { DiscoveryStore } from './jobs/discovery-store.ts';

export interface ConnectorParts {
  readonly context: ConnectorContext;
  readonly store: DiscoveryStore;
  readonly runs: DiscoveryRuns;
  readonly idempotency: IdempotencyJournal;
}

export function createParts(context: ConnectorContext): ConnectorParts {
  const store = new DiscoveryStore(context.storage);
  const runs = new DiscoveryRuns({ context, store });
  return { context, store, runs, idempotency: createIdempotencyJournal(context.storage) };
}
