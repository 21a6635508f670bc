// The embedded database: PostgreSQL as a managed child process with a Unix socket below the data directory. Independent
// of schemas, pools and stored data. Owns `<data directory>/database` and `<data directory>/lock*`.

export { EmbeddedPostgresError } from './errors.ts';
export { openApplicationDatabase } from './application-database.ts';
export type { ApplicationDatabase } from './application-database.ts';
export { acquireDirectoryLock } from './lock.ts';
export type { DirectoryLock } from './lock.ts';
export { startEmbeddedPostgres } from './launcher.ts';
export type { EmbeddedPostgresOptions } from './launcher.ts';
export type { EmbeddedPostgres, UnexpectedEnd } from './operation.ts';
export { openSocketDirectory } from './folders.ts';
