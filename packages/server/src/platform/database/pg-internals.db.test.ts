import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  activeQueryOf,
  isEnding,
  missingInternals,
  prepareValue,
  socketOf,
  wireOf,
  type QueryObject,
} from './pg-internals.ts';

// If these tests fail, the installed version of `pg` is not supported. The comment in `pg-internals.ts` lists what
// would break.

let client: pg.Client;
let connection: pg.ClientConfig;

beforeAll(async () => {
  ({ connection } = await testDatabaseWithConnection());
  client = new pg.Client(connection);
  await client.connect();
});
afterAll(() => client?.end()); // Not opened if there is no database.

/** Records, in order, which callbacks the driver invokes for the messages sent by `send`. */
class Recorder implements QueryObject {
  readonly events: string[] = [];
  readonly done = Promise.withResolvers<void>();
  private readonly send: (wire: ReturnType<typeof wireOf>) => void;

  constructor(send: (wire: ReturnType<typeof wireOf>) => void) {
    this.send = send;
  }

  submit(to: pg.Connection): void {
    this.send(wireOf(to));
  }
  handleRowDescription({ fields }: Parameters<QueryObject['handleRowDescription']>[0]): void {
    this.events.push(`columns ${fields.map(({ name, dataTypeID }) => `${name}:${dataTypeID}`).join(' ')}`);
  }
  handleDataRow({ fields }: Parameters<QueryObject['handleDataRow']>[0]): void {
    this.events.push(`row ${fields.join(' ')}`);
  }
  handleCommandComplete(): void {
    this.events.push('complete');
  }
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleError(error: Error): void {
    this.events.push(`error ${error.message}`);
    this.done.resolve();
  }
  handleReadyForQuery(): void {
    this.events.push('ready');
    this.done.resolve();
  }
}

async function record(send: ConstructorParameters<typeof Recorder>[0]): Promise<readonly string[]> {
  const recorder = new Recorder(send);
  client.query(recorder);
  await recorder.done.promise;
  return recorder.events;
}

const INT4 = 23;
const statement = { name: 'twice', text: 'SELECT 2 * $1::int AS twice' };
const target = { type: 'S', name: statement.name } as const;

describe('the internals of pg', () => {
  it('are all available', () => {
    expect(missingInternals(client), 'This version of pg lacks internals that the platform needs').toEqual([]);
  });

  it('are reported individually if they are missing', () => {
    const connectionWithoutSync = {
      ...wireMethods(),
      sync: undefined,
      stream: { cork() {}, uncork() {}, destroy() {} },
    };
    // A possible future version of pg.
    const other = { connection: connectionWithoutSync, _ending: false } as unknown as pg.Client;
    expect(missingInternals(other)).toEqual([
      'pg Connection does not have the expected `sync`: hot statements cannot be pipelined',
      'pg Connection does not have the expected `stream.bytesRead`: silent connections are not detected',
      'pg Client does not have the expected `_activeQuery`: idle connections cannot be distinguished from busy ones',
    ]);
  });

  it('send multiple statements before one Sync and deliver the results in order', async () => {
    const prepared = await record((wire) => {
      wire.close(target);
      wire.parse(statement);
      wire.describe(target);
      wire.sync();
    });
    expect(prepared).toEqual([`columns twice:${INT4}`, 'ready']);
    const results = await record((wire) => {
      wire.stream.cork();
      for (const value of ['2', '3']) {
        wire.bind({ statement: statement.name, values: [value] });
        wire.execute({});
      }
      wire.sync();
      wire.stream.uncork();
    });
    expect(results).toEqual(['row 4', 'complete', 'row 6', 'complete', 'ready']);
  });

  it('report an error once, without any later events, and are ready for the next query', async () => {
    const events = await record((wire) => (wire.parse({ name: 'bad', text: 'SELEC' }), wire.sync()));
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(events).toEqual([expect.stringMatching(/^error syntax error/)]);
  });

  it('convert values to the text format that the driver sends', () => {
    const octets = Buffer.from('00ff', 'hex');
    expect([7, 'a', null, undefined, octets, ['x', 'y,z']].map(prepareValue)).toEqual([
      '7', 'a', null, null, octets, '{"x","y,z"}',
    ]); // prettier-ignore
  });

  it('distinguish a busy connection from an idle one, and count received bytes', async () => {
    await vi.waitFor(() => expect(activeQueryOf(client)).toBeNull());
    const before = socketOf(client).bytesRead;
    const result = client.query('SELECT pg_sleep(0.01)');
    expect(activeQueryOf(client)).toBeTypeOf('object');
    expect(activeQueryOf(client)).not.toBeNull();
    await result;
    expect(socketOf(client).bytesRead).toBeGreaterThan(before);
    await vi.waitFor(() => expect(activeQueryOf(client)).toBeNull());
  });

  it('detect that a client is closing', async () => {
    const ending = new pg.Client(connection);
    await ending.connect();
    expect(isEnding(ending)).toBe(false);
    const ended = ending.end();
    expect(isEnding(ending)).toBe(true);
    await ended;
  });

  it("fail the pending query with the reason if the connection's socket is destroyed", async () => {
    const doomed = new pg.Client(connection);
    const onError = vi.fn();
    doomed.on('error', onError);
    await doomed.connect();
    const result = doomed.query('SELECT pg_sleep(5)');
    socketOf(doomed).destroy(new Error('given up'));
    await expect(result).rejects.toThrow('given up');
    expect(onError).toHaveBeenCalled();
  });
});

const wireMethods = () =>
  Object.fromEntries(['close', 'parse', 'describe', 'bind', 'execute'].map((name) => [name, () => undefined]));
