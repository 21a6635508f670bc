// Fake platform on loopback with replies from the test, a data directory and a run file, and functions that run
// commands against it. It validates nothing; requests are recorded for the test to check.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../run-cli.ts';
import type { CliContext } from '../context.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
}

/** Keyed by `METHOD /path` below `/api`, without the query. */
export type Replies = Readonly<Record<string, Reply | ((asked: ReceivedRequest) => Reply | Promise<Reply>)>>;

export const TOKEN = 'run-file-token';

/** A faulty reply appears as a failed command instead of a command that waits forever. */
const brokenReply = (error: unknown): Reply => ({
  status: 500,
  body: { message: `The reply failed: ${String(error)}` },
});

export interface FakePlatform {
  readonly url: string;
  readonly port: number;
  readonly data: string;
  readonly asked: readonly ReceivedRequest[];
  stop(): Promise<void>;
}

/** Creates an empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function startFakePlatform(replies: Replies): Promise<FakePlatform> {
  const asked: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const one: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: text === '' ? undefined : JSON.parse(text),
    };
    asked.push(one);
    const found = replies[`${one.method} ${one.path.replace(/^\/api/, '').replace(/\?.*$/, '')}`];
    const missing: Reply = {
      status: 404,
      body: { code: 'NOT_FOUND', message: `No reply to ${one.method} ${one.path}.` },
    };
    const reply =
      typeof found === 'function' ? await Promise.resolve(found(one)).catch(brokenReply) : (found ?? missing);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  const url = `http://127.0.0.1:${port}`;
  const data = temporaryFolder();
  writeRunFile(data, { http: url, api: `${url}/api` });
  return { url, port, data, asked, stop: () => close(server) };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // The server listens on TCP.
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

/** Writes a run file as a platform in this process would. */
export function writeRunFile(data: string, facts: Readonly<Record<string, unknown>>): void {
  const file = {
    pid: process.pid,
    startedAt: '2026-11-20T10:00:00.000Z',
    http: null,
    https: null,
    token: TOKEN,
    ...facts,
  };
  writeFileSync(join(data, 'run.json'), JSON.stringify(file), { mode: 0o600 });
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Current time in tests. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Runs a command in this process and collects its output. Pauses return immediately but advance the clock. */
export async function run(args: readonly string[], given: Partial<CliContext> = {}): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  let now = NOW;
  const code = await runCli(args, {
    environment: {},
    cwd: given.cwd ?? temporaryFolder(),
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    now: () => now,
    async pause(milliseconds) {
      now += milliseconds;
    },
    ...given,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Runs a command against a fake platform with these replies; returns its output and requests. */
export async function ask(replies: Replies, args: readonly string[]) {
  const platform = await startFakePlatform(replies);
  const ran = await run([...args, '--data', platform.data]);
  return { ...ran, asked: platform.asked };
}
