// Built-in connectors as they are checked against the connector interface, for tests and for the reference page.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkConnector,
  GivenValues,
  reachInProcess,
  reachOverHttp,
  type ConformanceReport,
  type Reach,
} from '@signetry/connector-conformance';
import {
  createPostgresStorage,
  createSealing,
  schemaNameOf,
  serveConnector,
  type Connector,
  type ConnectorContext,
} from '@signetry/connector-sdk';
import type pg from 'pg';
import { ROOT } from './source-files.ts';

/** Values that cannot be made up, such as the address of a server; in the package of the connector. */
function valuesOf({ name }: Connector): GivenValues {
  const file = join(ROOT, 'packages/connectors', name, 'conformance.json');
  return existsSync(file) ? GivenValues.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

const contextOf = (connector: Connector, pool: pg.Pool): ConnectorContext => ({
  storage: createPostgresStorage(pool, { schema: schemaNameOf(connector) }),
  ...createSealing(randomBytes(32)),
  clock: { now: () => new Date() },
  randomBytes,
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  publicUrl: 'http://pki.example',
});

export interface BuiltInReports {
  readonly overHttp: ConformanceReport;
  readonly inProcess: ConformanceReport;
}

export async function checkBuiltIn(connector: Connector, pool: pg.Pool): Promise<BuiltInReports> {
  const served = await serveConnector(connector, { context: contextOf(connector, pool) });
  const check = (reach: Reach) => checkConnector({ reach, values: valuesOf(connector) });
  try {
    return { overHttp: await check(reachOverHttp(served.url)), inProcess: await check(reachInProcess(served.running)) };
  } finally {
    await served.close();
  }
}
