// Access to the embedded database of a running platform, for data that clients could not create fast enough.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database, openSocketDirectory } from '@signetry/server/database';

export async function inDatabaseOf<T>(directory: string, work: (database: Database) => Promise<T>): Promise<T> {
  const root = join(directory, 'database');
  const socket = openSocketDirectory(join(root, 'run'));
  const password = readFileSync(join(root, 'password'), 'utf8').trim();
  const database = new Database({
    connection: { host: socket.path, port: 5432, user: 'signetry', password, database: 'signetry' },
    onError: () => undefined,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
    socket.close();
  }
}

/** Inserts earlier revocations, only into the authority's own table, from which its CRL is generated. */
export async function fillRevocations(database: Database, entries: number): Promise<void> {
  await database.query(
    `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
     SELECT (SELECT uuid FROM connector_software_authority.authority ORDER BY created_at LIMIT 1), decode('40' || md5(n::text), 'hex'),
       'superseded', now(), now() + interval '1 year' FROM generate_series(1, $1::int) AS n`,
    [entries],
  );
}
