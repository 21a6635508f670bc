// Information that the database reports about itself.
import type { Database } from '../../platform/database/database.ts';

export async function databaseVersion(database: Database): Promise<string> {
  const [row] = await database.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  return row?.version ?? '';
}
