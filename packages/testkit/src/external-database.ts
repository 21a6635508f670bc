// Arguments to start a platform on a database that it did not create.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionFacts } from '@signetry/server/database';
import { onTestFinished } from 'vitest';

/** Returns arguments of `start`: the database URL, and a sealing key file that is removed after the test. */
export function externalDatabaseArguments(connection: ConnectionFacts): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-external-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keyFile = join(folder, 'sealing.key');
  writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return ['--database-url', urlOf(connection), '--sealing-key-file', keyFile];
}

function urlOf({ user, password = '', host = '', port, database }: ConnectionFacts): string {
  const credentials = `${user}${password === '' ? '' : `:${encodeURIComponent(password)}`}`;
  return `postgres://${credentials}@${encodeURIComponent(host)}:${port}/${database}`;
}
