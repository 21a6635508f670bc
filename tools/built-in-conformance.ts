// Checks built-in connectors against the connector interface, for tests and for the reference page.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  checkConnector,
  GivenValues,
  inProcessTransport,
  httpTransport,
  type ConformanceReport,
  type Transport,
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

/** Preparation of a connector's conformance check, exported by `src/testing/conformance-values.ts` in its package. */
interface Preparation {
  /** Values that cannot be invented, such as the URL of a server or a key store. */
  conformanceValues(): Promise<unknown>;
  readonly conformanceContext?: Partial<ConnectorContext>;
  /** Removes what was created for the values. */
  conformanceEnd?(): Promise<void> | undefined;
  /** Why the check cannot run on this machine; undefined if it can. */
  readonly conformanceLacks?: string | undefined;
}

async function preparationOf({ name }: Connector): Promise<Preparation> {
  const file = join(ROOT, 'packages/connectors', name, 'src/testing/conformance-values.ts');
  if (!existsSync(file)) return { conformanceValues: () => Promise.resolve({}) };
  return (await import(pathToFileURL(file).href)) as Preparation; // The package must match this type.
}

export const lacksOf = async (connector: Connector): Promise<string | undefined> =>
  (await preparationOf(connector)).conformanceLacks;

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
  readonly changed?: ConformanceReport;
}

/** Modifies the request bodies of a check. */
export type BodyChange = (body: unknown) => unknown;

/** Checks a connector over both transports; with `change`, also over HTTP with modified request bodies. */
export async function checkBuiltIn(connector: Connector, pool: pg.Pool, change?: BodyChange): Promise<BuiltInReports> {
  const { conformanceContext, conformanceEnd, conformanceValues } = await preparationOf(connector);
  const values = GivenValues.parse(await conformanceValues());
  const context = { ...contextOf(connector, pool), ...conformanceContext };
  const served = await serveConnector(connector, { context });
  const check = (transport: Transport) => checkConnector({ transport, values });
  try {
    const send = httpTransport(served.url);
    return {
      overHttp: await check(send),
      inProcess: await check(inProcessTransport(served.running)),
      ...(change && { changed: await check((request) => send({ ...request, body: change(request.body) })) }),
    };
  } finally {
    await served.close();
    await conformanceEnd?.();
  }
}
