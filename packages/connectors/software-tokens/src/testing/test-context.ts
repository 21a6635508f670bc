// Connector context for tests and measurements: storage on a pool, real sealing, and a recorded log.
import { randomBytes } from 'node:crypto';
import { createPostgresStorage, createSealing, schemaNameOf, type ConnectorContext } from '@signetry/connector-sdk';
import type pg from 'pg';
import { softwareTokens } from '../index.ts';

export interface TestContextOptions {
  /** 32 bytes; processes with the same key can decrypt each other's secrets. */
  readonly sealingKey: Uint8Array;
  readonly now?: () => Date;
  /** Receives all log records, as JSON. */
  readonly logged?: (line: string) => void;
}

export function testContext(
  pool: pg.Pool,
  { sealingKey, now = () => new Date(), logged = () => undefined }: TestContextOptions,
): ConnectorContext {
  const log = (facts: object, message: string): void => logged(JSON.stringify([message, facts]));
  return {
    storage: createPostgresStorage(pool, { schema: schemaNameOf(softwareTokens) }),
    ...createSealing(sealingKey),
    clock: { now },
    randomBytes,
    log: { debug: log, info: log, warn: log, error: log },
  };
}
