// The connector on a test database, and processes beside it on the same tables.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresStorage,
  createSealing,
  inProcess,
  schemaNameOf,
  startConnector,
  type CallConnector,
  type ConnectorEgress,
  type RunningConnector,
} from '@signetry/connector-sdk';
import {
  discoveryProviderOperations as operations,
  DiscoveryProviderDto,
  type AttributeContentType,
  type RequestAttributeDto,
} from '@signetry/contract';
import { testDatabaseWithConnection } from '@signetry/testkit';
import pg from 'pg';
import { afterAll } from 'vitest';
import { KIND } from '../declaration.ts';
import { networkDiscovery } from '../index.ts';

export interface TestDiscovery {
  readonly call: CallConnector;
  readonly running: RunningConnector;
  readonly pool: pg.Pool;
  /** Another process on the same tables. */
  another(): Promise<TestDiscovery>;
}

/**
 * Ways to end what the test file has started, before its databases go. The hook is set when the file imports this,
 * since hooks inside of tests are ignored.
 */
const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(opened.splice(0).map((end) => end()));
});

export async function startTestDiscovery(egress: ConnectorEgress | undefined): Promise<TestDiscovery> {
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 6 });
  pool.on('error', () => undefined); // connections end with the database
  const sealing = createSealing(randomBytes(32));
  const started: RunningConnector[] = [];
  opened.push(async () => {
    await Promise.all(started.map((running) => running.stop?.()));
    await pool.end();
  });
  const ignore = (): void => undefined;
  const another = async (): Promise<TestDiscovery> => {
    const running = await startConnector(networkDiscovery, {
      storage: createPostgresStorage(pool, { schema: schemaNameOf(networkDiscovery) }),
      ...sealing,
      clock: { now: () => new Date() },
      randomBytes,
      egress,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    started.push(running);
    return { call: inProcess(running, { checkAnswers: true }), running, pool, another };
  };
  return another();
}

export type Values = Readonly<Record<string, string | number | boolean>>;

const attributesOf = (values: Values): RequestAttributeDto[] =>
  Object.entries(values).map(([name, data]) => ({
    uuid: '00000000-0000-4000-8000-000000000000',
    name,
    contentType: TYPES[typeof data] ?? 'string',
    content: [{ data }],
  }));

const TYPES: Readonly<Record<string, AttributeContentType>> = { number: 'integer', boolean: 'boolean' };

export const start = ({ call }: TestDiscovery, values: Values, name = 'a discovery', idempotencyKey?: string) =>
  call(operations.discoverCertificate, {
    body: { name, kind: KIND, attributes: attributesOf(values) },
    idempotencyKey,
  });

export async function page(
  { call }: TestDiscovery,
  uuid: string,
  { number = 1, size = 100 } = {},
): Promise<DiscoveryProviderDto> {
  const body = { name: 'a discovery', kind: KIND, pageNumber: number, itemsPerPage: size };
  return DiscoveryProviderDto.parse(await call(operations.getDiscovery, { params: { uuid }, body }));
}

/** Waits until a discovery is as a test wants it. */
export async function until(
  discovery: TestDiscovery,
  uuid: string,
  isSo: (answer: DiscoveryProviderDto) => boolean = ({ status }) => status !== 'inProgress',
): Promise<DiscoveryProviderDto> {
  const end = Date.now() + 15_000;
  for (;;) {
    const answer = await page(discovery, uuid);
    if (isSo(answer)) return answer;
    if (Date.now() > end) throw new Error(`The discovery is still ${JSON.stringify(answer)}.`);
    await delay(50);
  }
}

export const remove = ({ call }: TestDiscovery, uuid: string) => call(operations.deleteDiscovery, { params: { uuid } });

/** Contents of a metadata attribute. */
export const metaOf = (
  { meta }: { readonly meta: DiscoveryProviderDto['meta'] },
  name: string,
): readonly unknown[] | undefined => meta.find((each) => each.name === name)?.content?.map(({ data }) => data);
