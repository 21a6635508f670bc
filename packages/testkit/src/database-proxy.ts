// Proxy between a client and PostgreSQL that can lose traffic: packets are dropped without a reset, as in a machine or
// network failure. Uses TCP to the client and the server's Unix socket.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { ConnectionFacts } from '@signetry/server/database';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  silent: boolean;
}

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  readonly connection: ConnectionFacts;
  /** Drops all traffic on existing connections; new ones work. */
  silenceConnections(): void;
  /** Drops all traffic on existing and new connections until `heal`. */
  silenceAll(): void;
  /** Breaks existing connections and refuses new ones until `heal`. */
  refuse(): void;
  /** Breaks existing connections; new ones work. */
  cut(): void;
  /** Lets new connections work; silenced ones stay silent. */
  heal(): void;
  close(): Promise<void>;
}

export interface DatabaseProxyOptions {
  /** Receives the text of every notice that the server sends. */
  readonly onNotice?: (text: string) => void;
}

/** Starts a proxy. `target` is reached over a Unix socket: its `host` is the directory of the socket. */
export async function startDatabaseProxy(
  target: ConnectionFacts,
  { onNotice }: DatabaseProxyOptions = {},
): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'silent' | 'refuse' = 'pass';
  const listener = createServer((client) => {
    if (mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(`${target.host}/.s.PGSQL.${target.port}`);
    const pair: Pair = { client, server, silent: mode === 'silent' };
    pairs.add(pair);
    forward(pair, client, server);
    forward(pair, server, client);
    if (onNotice) readNotices(server, onNotice);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  function forward(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!pair.silent) to.write(bytes);
    });
    from.on('error', () => undefined); // 'close' follows
    from.on('close', () => {
      // On a path that drops packets, the other side does not learn of the close either.
      if (pair.silent) return;
      pairs.delete(pair);
      to.destroy();
    });
  }

  const breakAll = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };

  return {
    // listens on a TCP port
    connection: { ...target, host: '127.0.0.1', port: (listener.address() as AddressInfo).port },
    silenceConnections() {
      for (const pair of pairs) pair.silent = true;
    },
    silenceAll() {
      mode = 'silent';
      for (const pair of pairs) pair.silent = true;
    },
    refuse() {
      mode = 'refuse';
      breakAll();
    },
    cut: breakAll,
    heal() {
      mode = 'pass';
    },
    async close() {
      breakAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** A message has a type, a length that excludes the type, and content (PostgreSQL, "Message Formats"). */
const HEADER_BYTES = 5;

function readNotices(server: Socket, onNotice: (text: string) => void): void {
  let pending = Buffer.alloc(0);
  server.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= HEADER_BYTES) {
      const end = 1 + pending.readUInt32BE(1);
      if (pending.length < end) return;
      if (pending[0] === 'N'.charCodeAt(0)) onNotice(messageOf(pending.subarray(HEADER_BYTES, end)));
      pending = pending.subarray(end);
    }
  });
}

/** Returns field M of a notice: each field is a letter followed by zero-terminated text. */
const messageOf = (fields: Buffer): string =>
  fields
    .toString('utf8')
    .split('\0')
    .find((field) => field.startsWith('M'))
    ?.slice(1) ?? '';
