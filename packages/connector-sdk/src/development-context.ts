// What a connector gets from its host, for the first steps: enough for one that keeps nothing. A connector with tables
// gets a database and a lasting sealing key, as the README shows.
import { randomBytes } from 'node:crypto';
import type { ConnectorContext, ConnectorLog } from './connector.ts';
import { createSealing } from './sealing/sealing.ts';

const withoutDatabase = (): Promise<never> =>
  Promise.reject(
    new Error('There is no database here: give the connector a storage of its own (createPostgresStorage).'),
  );

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

/** Sealed values open until the process ends. */
export const developmentContext = (): ConnectorContext => ({
  storage: { schema: 'none', table: (name) => name, query: withoutDatabase, transaction: withoutDatabase },
  ...createSealing(randomBytes(32)),
  clock: { now: () => new Date() },
  randomBytes: (length) => new Uint8Array(randomBytes(length)),
  log,
});
