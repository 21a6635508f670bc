// Samples the server's main thread through the inspector, and assigns the samples to parts of the work.
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../server-process.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const INTERVAL_US = 500;

export async function startSampling(server: ServerProcess): Promise<{ stop(): Promise<CpuProfile> }> {
  const socket = new WebSocket(await inspectorOf(server));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }; // Inspector protocol.
    waiting.get(id)?.(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('Cannot reach the inspector of the server.')));
  });
  let last = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await ask('Profiler.start');
  return {
    async stop() {
      const { profile } = (await ask('Profiler.stop')) as { profile: CpuProfile }; // Inspector protocol.
      socket.close();
      return profile;
    },
  };
}

async function inspectorOf(server: ServerProcess): Promise<string> {
  for (let turn = 0; turn < 50; turn += 1) {
    const address = /Debugger listening on (ws:\S+)/.exec(server.stderr())?.[1];
    if (address) return address;
    await delay(100);
  }
  throw new Error(`The server did not start its inspector.\n${server.stderr()}`);
}

/** The first match for the innermost frame applies, otherwise that of its caller, and so on. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['garbage', /^\(garbage collector\)/],
  ['idle', /^\(idle\)/],
  ['outside JavaScript', /^\(program\)/],
  ['signatures and digests', /node:internal\/crypto|packages\/pki\/src\/(node|crypto)/],
  ['JWS and client keys', /packages\/pki\/src\/jose|protocols\/acme\/requests/],
  ['DER and certificates', /packages\/pki\//],
  ['TLS', /node:_tls|node:internal\/tls/],
  ['HTTP', /node:_http|node:internal\/http|fastify|find-my-way|light-my-request|platform\/http/],
  ['serializing responses', /fast-json-stringify/],
  ['input validation', /zod|packages\/contract/],
  ['statements and database protocol', /node_modules\/pg|kysely|platform\/database|store[\w-]*\.ts/],
  ['jobs and events', /platform\/(jobs|events)|pg-boss/],
  ['lookups and challenges', /protocols\/acme\/validation|undici|platform\/net|node:dgram|node:dns/],
  ['log and metrics', /pino|prom-client|platform\/(logging|metrics)/],
  ['ACME', /packages\/server\/src\/protocols\/acme/],
  ['connectors and authorities', /packages\/(connector|connectors)|areas\/(connectors|authorities)/],
  ['areas', /packages\/server\/src\/areas/],
  ['sockets', /node:net|node:internal\/stream_base_commons/],
];

/** Returns microseconds by part, excluding idle time. */
export function partsOf({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const partOfNode = new Map<number, string>();
  const partOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
      const { functionName = '', url = '' } = byId.get(at)?.callFrame ?? {};
      const found = PARTS.find(([, pattern]) => pattern.test(url || functionName));
      if (found) return found[0];
    }
    return 'other';
  };
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = partOfNode.get(id) ?? partOf(id);
    partOfNode.set(id, part);
    if (part !== 'idle') spent.set(part, (spent.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return spent;
}
