// Built-in connectors as they are checked against the connector interface, for tests and for the reference page.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** Values that cannot be made up, such as the address of a server or a key store; in the package of the connector. */
async function valuesOf({ name }: Connector): Promise<GivenValues> {
  const file = join(ROOT, 'packages/connectors', name, 'src/testing/conformance-values.ts');
  if (!existsSync(file)) return {};
  const { conformanceValues } = (await import(pathToFileURL(file).href)) as { conformanceValues(): Promise<unknown> };
  return GivenValues.parse(await conformanceValues());
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
  const values = await valuesOf(connector);
  const check = (reach: Reach) => checkConnector({ reach, values });
  try {
    return { overHttp: await check(reachOverHttp(served.url)), inProcess: await check(reachInProcess(served.running)) };
  } finally {
    await served.close();
  }
}
