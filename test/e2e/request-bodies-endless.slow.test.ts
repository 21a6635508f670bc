// Unread bodies that never end: the sender gets a few seconds, and only a limited number are received concurrently.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sharedTestServer } from '@signetry/testkit/platform';
import { openConnection, statusesOf } from '@signetry/testkit/raw-connection';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestHead } from './testing/request-head.ts';

const server = sharedTestServer();
let port: number;

beforeAll(() => {
  port = Number(new URL(server.ready.http).port);
});

function* endless(chunk: string): Generator<string> {
  for (;;) yield chunk;
}

describe("an unauthenticated caller's request body", () => {
  it('that never ends causes the connection to be closed', async () => {
    const head = 'POST /api/v1/groups HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const connection = await openConnection(port, head);
    await connection.until(/ 401 /);
    const chunk = `100000\r\n${'x'.repeat(0x10_0000)}\r\n`;
    await expect(pipeline(Readable.from(endless(chunk)), connection.socket)).rejects.toThrow();
    expect(statusesOf(await connection.closed())).toEqual([401]);
  });

  it('is received from only a limited number of callers at a time: during a flood, the others are disconnected after the response', async () => {
    const head = requestHead('POST /api/v1/certificates/upload', { length: 15_000_000 });
    const connections = await Promise.all(Array.from({ length: 60 }, () => openConnection(port, head)));
    const began = performance.now();
    const closings = connections.map(async (connection) => {
      await connection.closed();
      return performance.now() - began;
    });
    // The first ones are closed only after a few seconds, to give their senders time.
    const soon = (await Promise.all(closings)).filter((afterMs) => afterMs < 4_000);
    expect(soon.length).toBeGreaterThanOrEqual(60 - 32);
    expect(soon.length).toBeLessThan(60);
  });
});
