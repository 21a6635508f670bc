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

// A failure here means: this version of `pg` is not fit for use. The comment of `pg-internals.ts` says what would
// break.

let client: pg.Client;
let connection: pg.ClientConfig;

beforeAll(async () => {
  ({ connection } = await testDatabaseWithConnection());
  client = new pg.Client(connection);
  await client.connect();
});
afterAll(() => client?.end()); // not opened when there is no database

/** Notes which callbacks the driver makes, in order, for what `send` sends. */
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
  it('are all there', () => {
    expect(missingInternals(client), 'This version of pg lacks internals that the platform needs').toEqual([]);
  });

  it('are reported one by one when they are not', () => {
    const connectionWithoutSync = {
      ...wireMethods(),
      sync: undefined,
      stream: { cork() {}, uncork() {}, destroy() {} },
    };
    // what a new version might be
    const other = { connection: connectionWithoutSync, _ending: false } as unknown as pg.Client;
    expect(missingInternals(other)).toEqual([
      'pg Connection has no `sync` as expected: hot statements cannot be pipelined',
      'pg Connection has no `stream.bytesRead` as expected: silence of a connection is not noticed',
      'pg Client has no `_activeQuery` as expected: idle connections cannot be told from busy ones',
    ]);
  });

  it('send several statements before one Sync and hand the results over in order', async () => {
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

  it('report an error once, and nothing after it, and are ready for the next query', async () => {
    const events = await record((wire) => (wire.parse({ name: 'bad', text: 'SELEC' }), wire.sync()));
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(events).toEqual([expect.stringMatching(/^error syntax error/)]);
  });

  it('turn values into the texts that the driver sends', () => {
    const octets = Buffer.from('00ff', 'hex');
    expect([7, 'a', null, undefined, octets, ['x', 'y,z']].map(prepareValue)).toEqual([
      '7', 'a', null, null, octets, '{"x","y,z"}',
    ]); // prettier-ignore
  });

  it('tell a busy connection from an idle one, and count what arrives', async () => {
    await vi.waitFor(() => expect(activeQueryOf(client)).toBeNull());
    const before = socketOf(client).bytesRead;
    const result = client.query('SELECT pg_sleep(0.01)');
    expect(activeQueryOf(client)).toBeTypeOf('object');
    expect(activeQueryOf(client)).not.toBeNull();
    await result;
    expect(socketOf(client).bytesRead).toBeGreaterThan(before);
    await vi.waitFor(() => expect(activeQueryOf(client)).toBeNull());
  });

  it('tell that a client ends', async () => {
    const ending = new pg.Client(connection);
    await ending.connect();
    expect(isEnding(ending)).toBe(false);
    const ended = ending.end();
    expect(isEnding(ending)).toBe(true);
    await ended;
  });

  it('fail the query of a connection whose socket is destroyed, with the reason', async () => {
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
