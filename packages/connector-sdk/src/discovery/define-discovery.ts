// Creates a discovery connector from its kind.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import type { Connector, ConnectorMigration } from '../connector.ts';
import { defineConnector } from '../define-connector.ts';
import { healthOf } from '../health.ts';
import { createIdempotencyJournal } from '../journal/idempotency-journal.ts';
import { discoveryHandlers } from './discovery-handlers.ts';
import type { CreateKind } from './discovery-kind.ts';
import { discoverySecrets } from './discovery-migrations.ts';
import { DiscoveryRuns } from './discovery-runs.ts';
import { DiscoveryStore } from './discovery-store.ts';

export interface DiscoveryDefinition<Wish, Checkpoint, Sighting> {
  readonly name: string;
  /** Name of the kind, as sent by callers. */
  readonly kind: string;
  /** `discoveryMigrations`, followed by those of the connector's own tables. */
  readonly migrations: readonly ConnectorMigration[];
  readonly create: CreateKind<Wish, Checkpoint, Sighting>;
}

export const defineDiscovery = <Wish, Checkpoint, Sighting>({
  name,
  kind: kindName,
  migrations,
  create,
}: DiscoveryDefinition<Wish, Checkpoint, Sighting>): Connector =>
  defineConnector({
    name,
    functions: { discoveryProvider: { kinds: [kindName], features: [IDEMPOTENCY_FEATURE] } },
    migrations,
    sealedValues: [discoverySecrets],
    create(context) {
      const kind = create(context);
      const store = new DiscoveryStore<Wish, Checkpoint, Sighting>(context.storage);
      const runs = new DiscoveryRuns({ context, kind, store });
      const idempotency = createIdempotencyJournal(context.storage);
      const database = () =>
        context.storage.query('SELECT 1').catch(() => Promise.reject(new Error('The database does not respond.')));
      return {
        functions: { discoveryProvider: discoveryHandlers({ context, kind, store, runs, idempotency }) },
        health: () => healthOf({ database }),
        stop: () => runs.stop(),
      };
    },
  });
