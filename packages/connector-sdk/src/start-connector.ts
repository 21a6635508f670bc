// Starts a connector: first its tables are migrated, then its instance is created.
import type { Connector, ConnectorContext, RunningConnector } from './connector.ts';
import { missingEndpoints } from './supported-functions.ts';
import { migrateConnector } from './storage/migrate.ts';

/** Throws if the connector lacks operations that its function groups require. */
export async function startConnector(connector: Connector, context: ConnectorContext): Promise<RunningConnector> {
  const steps = await migrateConnector(context.storage, connector);
  if (steps.length > 0) context.log.info({ steps }, 'Connector tables are up to date');
  const running: RunningConnector = { ...connector.create(context), connector };
  const missing = missingEndpoints(running);
  if (missing.length > 0)
    throw new Error(`The connector ${connector.name} lacks required operations: ${missing.join(', ')}.`);
  return running;
}
