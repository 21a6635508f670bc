// Discovery connector on a test database, and further processes on the same tables. They stop with the test file.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresStorage,
  createSealing,
  inProcess,
  schemaNameOf,
  startConnector,
  type CallConnector,
  type Connector,
  type ConnectorContext,
  type RunningConnector,
} from '@signetry/connector-sdk';
import {
  BaseAttributeDto,
  connectorBaseOperations,
  discoveryProviderOperations as operations,
  DiscoveryProviderDto,
  type AttributeContentType,
  type RequestAttributeDto,
} from '@signetry/contract';
import pg from 'pg';
import { onFileFinished } from '../file-end.ts';
import { testDatabaseWithConnection } from '../test-database.ts';
import { patience } from '../patience.ts';

const { listAttributeDefinitions } = connectorBaseOperations;

export interface TestDiscovery {
  readonly kind: string;
  readonly call: CallConnector;
  readonly running: RunningConnector;
  readonly pool: pg.Pool;
  /** Starts a second process on the same tables. */
  another(): Promise<TestDiscovery>;
}

/** Starts a connector that has one function group of one kind. `host`: context in addition to database and clock. */
export async function startTestDiscovery(
  connector: Connector,
  host: Partial<ConnectorContext> = {},
): Promise<TestDiscovery> {
  const kind = connector.functionGroups[0]?.kinds[0] ?? '';
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 6 });
  pool.on('error', () => undefined); // connections end with the database
  const sealing = createSealing(randomBytes(32));
  const started: RunningConnector[] = [];
  onFileFinished(async () => {
    await Promise.all(started.map((running) => running.stop?.()));
    await pool.end();
  });
  const ignore = (): void => undefined;
  const startAnother = async (): Promise<TestDiscovery> => {
    const running = await startConnector(connector, {
      storage: createPostgresStorage(pool, { schema: schemaNameOf(connector) }),
      ...sealing,
      clock: { now: () => new Date() },
      randomBytes,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      ...host,
    });
    started.push(running);
    return { kind, call: inProcess(running, { checkAnswers: true }), running, pool, another: startAnother };
  };
  return startAnother();
}

/** Values by attribute name; an array has one content item per member. */
export type Values = Readonly<Record<string, unknown>>;

export async function start({ call, kind }: TestDiscovery, values: Values, name = 'a discovery', key?: string) {
  const params = { functionalGroup: 'discoveryProvider', kind } as const;
  const definitions = BaseAttributeDto.array().parse(await call(listAttributeDefinitions, { params }));
  const attributes = Object.entries(values).map(([attribute, value]) => ({
    uuid: '00000000-0000-4000-8000-000000000000',
    name: attribute,
    contentType: contentTypeOf(definitions.find((each) => each.name === attribute)),
    content: (Array.isArray(value) ? value : [value]).map((data: unknown) => ({ data })),
  }));
  // Validated by the connector.
  const body = { name, kind, attributes: attributes as RequestAttributeDto[] };
  return call(operations.discoverCertificate, { body, idempotencyKey: key });
}

const contentTypeOf = (definition: BaseAttributeDto | undefined): AttributeContentType =>
  definition && 'contentType' in definition ? definition.contentType : 'string';

export async function page(
  { call, kind }: TestDiscovery,
  uuid: string,
  { number = 1, size = 100 } = {},
): Promise<DiscoveryProviderDto> {
  const body = { name: 'a discovery', kind, pageNumber: number, itemsPerPage: size };
  return DiscoveryProviderDto.parse(await call(operations.getDiscovery, { params: { uuid }, body }));
}

/** Waits until a discovery meets the condition. */
export async function waitUntil(
  discovery: TestDiscovery,
  uuid: string,
  isSo: (answer: DiscoveryProviderDto) => boolean = ({ status }) => status !== 'inProgress',
): Promise<DiscoveryProviderDto> {
  const end = Date.now() + 15_000 * patience;
  for (;;) {
    const answer = await page(discovery, uuid);
    if (isSo(answer)) return answer;
    if (Date.now() > end) throw new Error(`The discovery is still ${JSON.stringify(answer)}.`);
    await delay(50);
  }
}

export const remove = ({ call }: TestDiscovery, uuid: string) => call(operations.deleteDiscovery, { params: { uuid } });

/** Returns the contents of a metadata attribute. */
export const metaOf = (
  { meta }: { readonly meta: DiscoveryProviderDto['meta'] },
  name: string,
): readonly unknown[] | undefined => meta.find((each) => each.name === name)?.content?.map(({ data }) => data);
