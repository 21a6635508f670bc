// Connector context for tests and measurements: storage on a pool, and real sealing.
import { randomBytes } from 'node:crypto';
import {
  createPostgresStorage,
  createSealing,
  schemaNameOf,
  type Connector,
  type ConnectorContext,
} from '@signetry/connector-sdk';
import type pg from 'pg';
import { softwareAuthority } from '../index.ts';

export interface TestContextOptions {
  /** 32 bytes; processes with the same key can decrypt each other's secrets. */
  readonly sealingKey: Uint8Array;
  readonly now?: () => Date;
  readonly connector?: Connector;
}

export const testContext = (
  pool: pg.Pool,
  { sealingKey, now = () => new Date(), connector = softwareAuthority }: TestContextOptions,
): ConnectorContext => ({
  storage: createPostgresStorage(pool, { schema: schemaNameOf(connector) }),
  ...createSealing(sealingKey),
  clock: { now },
  randomBytes,
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
});
