// Everything this platform uses of `pg` beyond its documented interface; no other file may. A new version of `pg` may
// change
// any of it without notice, which is why the version is pinned and `pg-internals.db.test.ts` runs against the real
// driver:
// - the messages of the extended protocol on `pg.Connection`, and the `handle...` callbacks of query objects: without
// them
// hot statements cannot be pipelined, and each would have to be a query and a commit of its own;
// - `utils.prepareValue`: hot statements would send values in another form than all other statements;
// - `_activeQuery`, `_ending` and the socket of `pg.Client`: dead connections would not be found, or living ones
// closed.
import type pg from 'pg';
import utils from 'pg/lib/utils.js';

interface NamedStatement {
  readonly type: 'S';
  readonly name: string;
}

/** Messages of the extended protocol (PostgreSQL, "Extended Query"), as the driver's own queries send them. */
export interface Wire {
  /** Corked, what is written leaves in one packet. */
  readonly stream: { cork(): void; uncork(): void };
  close(target: NamedStatement): void;
  parse(statement: { readonly name: string; readonly text: string }): void;
  describe(target: NamedStatement): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(portal: object): void;
  sync(): void;
}

/**
 * A query object: the client submits it when its turn comes, and sends nothing else until it has failed or is ready.
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

// The published types lack these members, or declare them with other parameters.
const internalsOf = (client: pg.Client): ClientInternals => client as unknown as ClientInternals;
export const wireOf = (connection: pg.Connection): Wire => connection as unknown as Wire;

/** A value as the driver sends it: text, or octets of `bytea`. Throws on what cannot be sent. */
export const prepareValue = (value: unknown): string | Buffer | null => utils.prepareValue(value);

/** The query whose answer the client waits for; null when it waits for none. */
export const activeQueryOf = (client: pg.Client): object | null => internalsOf(client)._activeQuery ?? null;

/** Has the client been told to end? */
export const isEnding = (client: pg.Client): boolean => internalsOf(client)._ending;

/** Also before the client is connected. */
export const socketOf = (client: pg.Client): Socket => internalsOf(client).connection.stream;

const WIRE_METHODS = [
  'close',
  'parse',
  'describe',
  'bind',
  'execute',
  'sync',
] as const satisfies readonly (keyof Wire)[];

/** What this version of the driver lacks, a sentence for each; for the test that a new version of `pg` has to pass. */
export function missingInternals(client: pg.Client): readonly string[] {
  const { connection, ...state } = client as unknown as Record<string, unknown> & { readonly connection: object };
  const stream: unknown = Reflect.get(connection, 'stream');
  const socket = typeof stream === 'object' && stream !== null ? stream : {};
  const lacks = (owner: string, name: string, effect: string): string =>
    `pg ${owner} has no \`${name}\` as expected: ${effect}`;
  return [
    ...WIRE_METHODS.filter((name) => typeof Reflect.get(connection, name) !== 'function').map((name) =>
      lacks('Connection', name, 'hot statements cannot be pipelined'),
    ),
    ...['cork', 'uncork', 'destroy']
      .filter((name) => typeof Reflect.get(socket, name) !== 'function')
      .map((name) => lacks('Connection', `stream.${name}`, 'connections can neither be corked nor given up')),
    ...(typeof Reflect.get(socket, 'bytesRead') === 'number'
      ? []
      : [lacks('Connection', 'stream.bytesRead', 'silence of a connection is not noticed')]),
    ...('_activeQuery' in state
      ? []
      : [lacks('Client', '_activeQuery', 'idle connections cannot be told from busy ones')]),
    ...(typeof state['_ending'] === 'boolean'
      ? []
      : [lacks('Client', '_ending', 'connections that hang while they end are not closed')]),
  ];
}
