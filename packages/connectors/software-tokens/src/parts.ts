// Assembles the connector's parts.
import { createIdempotencyJournal, type ConnectorContext, type IdempotencyJournal } from '@signetry/connector-sdk';
import { KeyStore } from './keys/key-store.ts';
import type { CodeCost } from './tokens/activation-code.ts';
import { ActiveTokens } from './tokens/active-tokens.ts';
import { createCodeAttempts, type CodeAttempts } from './tokens/code-attempts.ts';
import { TokenStore } from './tokens/token-store.ts';
import { createSlowLane, type SlowLane } from './turns.ts';

export interface ConnectorParts {
  readonly context: ConnectorContext;
  readonly store: TokenStore;
  readonly keys: KeyStore;
  readonly active: ActiveTokens;
  readonly attempts: CodeAttempts;
  readonly slowLane: SlowLane;
  readonly codeCost: CodeCost;
  readonly idempotency: IdempotencyJournal;
}

export function createParts(context: ConnectorContext, codeCost: CodeCost): ConnectorParts {
  const { storage, clock, seal, open } = context;
  const store = new TokenStore(storage);
  const slowLane = createSlowLane();
  return {
    context,
    store,
    keys: new KeyStore(storage),
    active: new ActiveTokens(store, context),
    attempts: createCodeAttempts({ store, slowLane, clock, seal, open }),
    slowLane,
    codeCost,
    idempotency: createIdempotencyJournal(storage),
  };
}
