// Host context for development: sufficient for a connector that stores nothing. A connector with tables needs a
// database and a persistent sealing key, as shown in the README.
import { randomBytes } from 'node:crypto';
import type { ConnectorContext, ConnectorLog } from './connector.ts';
import { createSealing } from './sealing/sealing.ts';

const rejectDatabaseUse = (): Promise<never> =>
  Promise.reject(new Error('No database here: create a storage for the connector (createPostgresStorage).'));

const report =
  (level: 'info' | 'warn' | 'error') =>
  (facts: object, message: string): void =>
    console[level](message, facts);

const log: ConnectorLog = {
  debug: () => undefined,
  info: report('info'),
  warn: report('warn'),
  error: report('error'),
};

/** Sealed values can be opened only until the process exits. */
export const developmentContext = (): ConnectorContext => ({
  storage: { schema: 'none', table: (name) => name, query: rejectDatabaseUse, transaction: rejectDatabaseUse },
  ...createSealing(randomBytes(32)),
  clock: { now: () => new Date() },
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  log,
});
