// Entry point for other packages: connections, migrations and the embedded database.
export { Database, type ConnectionFacts, type Executor } from './platform/database/database.ts';
export { migrate } from './platform/database/migrate.ts';
export {
  openApplicationDatabase,
  openSocketDirectory,
  startEmbeddedPostgres,
  type ApplicationDatabase,
  type EmbeddedPostgres,
} from './platform/database/embedded/index.ts';
