// PostgreSQL servers installed on this machine in Debian's layout: with default settings, to test the supported
// versions and the settings that the platform applies.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, type ConnectionFacts } from '@signetry/server/database';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** PostgreSQL does not run as root, and initdb needs a user with an entry in the user database. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };
const START_MS = 30_000;

export const hasInstalledPostgres = (version: number): boolean =>
  existsSync(join(DEBIAN_FOLDER, String(version), 'bin', 'postgres'));

export interface InstalledPostgres {
  /** An empty database and its owner role, which has no other privileges. */
  readonly connection: ConnectionFacts;
  readonly superuser: ConnectionFacts;
  stop(): Promise<void>;
}

/** Starts a new server in a temporary directory. `settings` are command-line settings; everything else is default. */
export async function startInstalledPostgres(
  version: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<InstalledPostgres> {
  const programs = join(DEBIAN_FOLDER, String(version), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'signetry-postgres-'));
  const user = process.geteuid?.() === 0 ? UNPRIVILEGED : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'super', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  const own = Object.entries({ fsync: 'off', listen_addresses: '', unix_socket_directories: folder, ...settings });
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...own.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...options, stdio: 'ignore' },
  );
  const superuser: ConnectionFacts = { host: folder, port: 5432, user: 'super', database: 'postgres' };
  await createOwnedDatabase(superuser);
  return {
    connection: { ...superuser, user: 'signetry', database: 'signetry' },
    superuser,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the role and its database as soon as the server responds. */
async function createOwnedDatabase(superuser: ConnectionFacts): Promise<void> {
  const database = new Database({ connection: superuser, maxConnections: 1, onError: () => undefined });
  try {
    for (const began = performance.now(); ; await delay(20))
      try {
        await database.query('CREATE ROLE signetry LOGIN');
        break;
      } catch (error) {
        if (performance.now() - began > START_MS) throw error;
      }
    await database.query('CREATE DATABASE signetry OWNER signetry');
  } finally {
    await database.close();
  }
}
