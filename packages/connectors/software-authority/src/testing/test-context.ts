// Surroundings of a connector for tests and measurements: storage on a pool, secrets that are really sealed.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createPostgresStorage, schemaNameOf, type ConnectorContext } from '@signetry/connector-sdk';
import type pg from 'pg';
import { softwareAuthority } from '../index.ts';

export interface TestContextOptions {
  /** 32 octets; processes with the same key open each other's secrets. */
  readonly sealingKey: Uint8Array;
  readonly now?: () => Date;
}

export const testContext = (
  pool: pg.Pool,
  { sealingKey, now = () => new Date() }: TestContextOptions,
): ConnectorContext => ({
  storage: createPostgresStorage(pool, { schema: schemaNameOf(softwareAuthority) }),
  seal(plain, purpose) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(purpose));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  open(sealed, purpose) {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  },
  clock: { now },
  randomBytes,
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
});
