// Delivery of audit log heads and tampering reports, with real jobs, a real file and a real listener.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext } from '../../kernel/actor.ts';
import { createAuditArea, type AuditArea } from './index.ts';
import { parseHead } from './chain-head.ts';

const INTERVAL_MS = 600_000;
const database = await testDatabase();
const clock = createFakeClock();
const platform = testPlatform(database, { clock });
const folder = mkdtempSync(join(tmpdir(), 'signetry-audit-'));
const endFile = join(folder, 'ends.jsonl');
const context = { ...coreContext('r1'), audit: { module: 'core', resource: 'groups', operation: 'update' } as const };

interface Message {
  readonly kind: string;
  readonly end: string;
  readonly seals: number;
  readonly foundSeal: number;
}

const posted: Message[] = [];
/** Statuses of the next responses; 204 if there are none. */
const statuses: number[] = [];
const listener = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    const status = statuses.shift() ?? 204;
    if (status === 204) posted.push(JSON.parse(text) as Message); // The sender declares this type.
    response.writeHead(status).end();
  });
});

const lines = (): Message[] =>
  readFileSync(endFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message);

let area: AuditArea;

const write = () => database.transaction((tx) => area.trail.append(tx, context, {}));

beforeAll(async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // The server listens on TCP.
  area = createAuditArea(platform, { endFile, endWebhook: `http://127.0.0.1:${port}/end`, endIntervalMs: INTERVAL_MS });
  await platform.jobs.start();
  await platform.events.start();
  await area.start?.();
});

afterAll(async () => {
  await area.stop?.();
  await platform.events.stop();
  await platform.jobs.stop();
  listener.close();
  rmSync(folder, { recursive: true });
});

describe('an audit log head', () => {
  it('is written to the file, and sent to the webhook until it is accepted', async () => {
    statuses.push(503);
    await write();
    await vi.waitFor(() => expect(lines()).toMatchObject([{ kind: 'audit-end', seals: 1 }]), 20_000);
    await vi.waitFor(() => expect(posted).toEqual(lines()), { timeout: 60_000 });
    expect(parseHead(posted[0]?.end ?? '')).toMatchObject({ place: { number: 1, nextSequence: 2 } });
  });

  it('is sent again after the interval if it has changed', async () => {
    await write();
    clock.advance(INTERVAL_MS);
    await vi.waitFor(() => expect(lines().map(({ seals }) => seals)).toEqual([1, 2]), 20_000);
    await vi.waitFor(() => expect(posted).toHaveLength(2), 20_000);
  });
});

describe('tampering with the audit log', () => {
  it('is reported to the file and the webhook as well', async () => {
    await database.query('TRUNCATE audit_seal, audit_record');
    await write();
    const tampering = { kind: 'audit-tampering', node: platform.nodeId, foundSeal: 0, rememberedSeal: 2 };
    await vi.waitFor(() => expect(lines().at(-1)).toMatchObject(tampering), 20_000);
    await vi.waitFor(() => expect(posted.at(-1)).toMatchObject(tampering), 20_000);
  });
});
