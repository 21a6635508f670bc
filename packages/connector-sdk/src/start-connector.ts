// Starts a connector: its tables first, then its instance.
import type { Connector, ConnectorContext, RunningConnector } from './connector.ts';
import { missingEndpoints } from './supported-functions.ts';
import { migrateConnector } from './storage/migrate.ts';

/** Throws when the connector lacks operations that its function groups require. */
export async function startConnector(connector: Connector, context: ConnectorContext): Promise<RunningConnector> {
  const steps = await migrateConnector(context.storage, connector);
  if (steps.length > 0) context.log.info({ steps }, 'Connector tables are up to date');
  const running: RunningConnector = { ...connector.create(context), connector };
  const missing = missingEndpoints(running);
  if (missing.length > 0) throw new Error(`The connector ${connector.name} lacks ${missing.join(', ')}.`);
  return running;
}
