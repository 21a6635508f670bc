// Assembles the connector's parts.
import { createIdempotencyJournal, type ConnectorContext, type IdempotencyJournal } from '@signetry/connector-sdk';
import { EntityStore } from './entities/entity-store.ts';
import { createTurns, type Turns } from './locations/turns.ts';

export interface ConnectorParts {
  readonly context: ConnectorContext;
  readonly store: EntityStore;
  readonly idempotency: IdempotencyJournal;
  /** Serializes changes to the same entity. */
  readonly turns: Turns;
}

export const createParts = (context: ConnectorContext): ConnectorParts => ({
  context,
  store: new EntityStore(context.storage),
  idempotency: createIdempotencyJournal(context.storage),
  turns: createTurns(),
});
