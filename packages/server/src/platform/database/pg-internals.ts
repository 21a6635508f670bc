// All uses of undocumented `pg` interfaces; no other file may use them. A new version of `pg` can change them without
// notice, so the version is pinned and `pg-internals.db.test.ts` runs against the real driver:
// - extended protocol messages on `pg.Connection`, and the `handle...` callbacks of query objects: without them, hot
//   statements cannot be pipelined, and each would need its own query and commit;
// - `utils.prepareValue`: without it, hot statements would encode values differently from all other statements;
// - `_activeQuery`, `_ending` and the socket of `pg.Client`: without them, dead connections would not be detected, or
//   live ones would be closed.
import type pg from 'pg';
import utils from 'pg/lib/utils.js';

interface NamedStatement {
  readonly type: 'S';
  readonly name: string;
}

/** Messages of the extended protocol (PostgreSQL, "Extended Query"), as sent by the driver's own queries. */
export interface Wire {
  /** While the stream is corked, writes are buffered; they are then sent in one packet. */
  readonly stream: { cork(): void; uncork(): void };
  close(target: NamedStatement): void;
  parse(statement: { readonly name: string; readonly text: string }): void;
  describe(target: NamedStatement): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(portal: object): void;
  sync(): void;
}

/**
 * A query object. The client submits it when its turn comes, and sends nothing else until the query has failed or is
 * ready.
 */
export interface QueryObject {
  submit(connection: pg.Connection): void;
  handleRowDescription(message: { readonly fields: readonly Field[] }): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleEmptyQuery(): void;
  handlePortalSuspended(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface ClientInternals {
  readonly connection: { readonly stream: Socket };
  /** Undefined before the first query. */
  readonly _activeQuery: object | null | undefined;
  readonly _ending: boolean;
}

interface Socket {
  readonly bytesRead: number;
  destroy(error?: Error): void;
}

// The published types lack these members or declare them with different parameters.
const internalsOf = (client: pg.Client): ClientInternals => client as unknown as ClientInternals;
export const wireOf = (connection: pg.Connection): Wire => connection as unknown as Wire;

/** Encodes a value as the driver does: text, or bytes for `bytea`. Throws if the value cannot be sent. */
export const prepareValue = (value: unknown): string | Buffer | null => utils.prepareValue(value);

/** Returns the query whose response the client is waiting for, or null if there is none. */
export const activeQueryOf = (client: pg.Client): object | null => internalsOf(client)._activeQuery ?? null;

/** Returns whether the client is ending. */
export const isEnding = (client: pg.Client): boolean => internalsOf(client)._ending;

/** Returns the client's socket, which exists even before the client is connected. */
export const socketOf = (client: pg.Client): Socket => internalsOf(client).connection.stream;

const WIRE_METHODS = [
  'close',
  'parse',
  'describe',
  'bind',
  'execute',
  'sync',
] as const satisfies readonly (keyof Wire)[];

/**
 * Returns one sentence for each member that is missing in this version of the driver. Used by the test that a new
 * version of `pg` must pass.
 */
export function missingInternals(client: pg.Client): readonly string[] {
  const { connection, ...state } = client as unknown as Record<string, unknown> & { readonly connection: object };
  const stream: unknown = Reflect.get(connection, 'stream');
  const socket = typeof stream === 'object' && stream !== null ? stream : {};
  const lacks = (owner: string, name: string, effect: string): string =>
    `pg ${owner} does not have the expected \`${name}\`: ${effect}`;
  return [
    ...WIRE_METHODS.filter((name) => typeof Reflect.get(connection, name) !== 'function').map((name) =>
      lacks('Connection', name, 'hot statements cannot be pipelined'),
    ),
    ...['cork', 'uncork', 'destroy']
      .filter((name) => typeof Reflect.get(socket, name) !== 'function')
      .map((name) => lacks('Connection', `stream.${name}`, 'connections can be neither corked nor destroyed')),
    ...(typeof Reflect.get(socket, 'bytesRead') === 'number'
      ? []
      : [lacks('Connection', 'stream.bytesRead', 'silent connections are not detected')]),
    ...('_activeQuery' in state
      ? []
      : [lacks('Client', '_activeQuery', 'idle connections cannot be distinguished from busy ones')]),
    ...(typeof state['_ending'] === 'boolean'
      ? []
      : [lacks('Client', '_ending', 'connections that hang while ending are not closed')]),
  ];
}
