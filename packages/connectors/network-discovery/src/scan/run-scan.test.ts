// Complete scans on real sockets, and their limits.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseHosts } from '../targets/hosts.ts';
import { createPlan } from '../targets/plan.ts';
import { parsePorts } from '../targets/ports.ts';
import { rawServer, type Listening } from '../testing/tls-servers.ts';
import { Politeness, type PaceFacts } from '@signetry/connector-sdk/discovery';
import { runScan } from './run-scan.ts';
import type { ScanResult } from './scan-target.ts';

const quick: PaceFacts = { ratePerSecond: 1e6, parallelPerHost: 1_000, ratePerHost: 1e6 };
/** Serves nothing, and counts concurrent connections. */
let silent: Listening;
let most = 0;
beforeAll(async () => {
  let now = 0;
  silent = await rawServer((socket) => {
    now += 1;
    most = Math.max(most, now);
    socket.on('close', () => (now -= 1));
    setTimeout(() => socket.destroy(), 20);
  });
});
afterAll(() => silent.close());

const planOf = (hosts: string) =>
  createPlan({ hosts: parseHosts(hosts).hosts, ports: parsePorts(String(silent.port)).ports });

async function run(hosts: string, pace: Partial<PaceFacts>, given: { from?: number; parallel?: number } = {}) {
  const results = new Map<number, ScanResult>();
  most = 0;
  const began = performance.now();
  await runScan({
    plan: planOf(hosts),
    parallel: 50,
    ...given,
    options: {
      timeoutMs: 2_000,
      politeness: new Politeness({ ...quick, ...pace }),
      signal: new AbortController().signal,
    },
    onResult: (number, result) => void results.set(number, result),
  });
  return { results, most, ms: performance.now() - began };
}

const repeatHost = (count: number) => Array.from({ length: count }, () => '127.0.0.1').join();

describe('a scan', () => {
  it('has a result for each target, from its starting position', async () => {
    const { results } = await run(repeatHost(30), {}, { from: 10 });
    expect([...results.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 10));
  });

  it('respects the limit on concurrent targets', async () => {
    expect((await run(repeatHost(30), {}, { parallel: 4 })).most).toBeLessThanOrEqual(4);
  });

  it('respects the limit on connections per host', async () => {
    expect((await run(repeatHost(30), { parallelPerHost: 3 })).most).toBeLessThanOrEqual(3);
  });

  it.each([{ ratePerSecond: 50 }, { ratePerHost: 50 }])('respects a rate limit: %o', async (pace) => {
    expect((await run(repeatHost(16), pace)).ms).toBeGreaterThan(280);
  });

  it('does not let one host delay the others', async () => {
    const { ms } = await run(`127.0.0.1, ${repeatHost(9)}`.replace('127.0.0.1', '127.0.0.2'), { ratePerHost: 100 });
    expect(ms).toBeLessThan(1_000);
  });

  it('ends with the abort reason, and leaves no connections open', async () => {
    const stopping = new AbortController();
    const options = { timeoutMs: 60_000, politeness: new Politeness(quick), signal: stopping.signal };
    const running = runScan({ plan: planOf(repeatHost(500)), parallel: 10, options, onResult: () => undefined });
    setTimeout(() => stopping.abort(new Error('Stopped.')), 30);
    await expect(running).rejects.toThrow('Stopped.');
  });

  it('fails if the result callback throws', async () => {
    const options = { timeoutMs: 1_000, politeness: new Politeness(quick), signal: new AbortController().signal };
    const onResult = (): never => {
      throw new Error('No place.');
    };
    await expect(runScan({ plan: planOf(repeatHost(5)), parallel: 10, options, onResult })).rejects.toThrow(
      'No place.',
    );
  });
});

/** Returns the maximum number of targets started and results received in one turn of the event loop. */
async function fullestTurn(port: number, timeoutMs: number, holdUp: (begun: number) => void = () => undefined) {
  const now = { begun: 0, ended: 0 };
  const fullest = { begun: 0, ended: 0, total: 0 };
  let begun = 0;
  const nextTurn = (): void => {
    fullest.begun = Math.max(fullest.begun, now.begun);
    fullest.ended = Math.max(fullest.ended, now.ended);
    fullest.total += now.ended;
    Object.assign(now, { begun: 0, ended: 0 });
    holdUp(begun);
  };
  let turn = setImmediate(function next() {
    nextTurn();
    turn = setImmediate(next);
  });
  await runScan({
    plan: createPlan({ hosts: parseHosts(repeatHost(1_000)).hosts, ports: parsePorts(String(port)).ports }),
    parallel: 500,
    options: {
      timeoutMs,
      politeness: new Politeness(quick),
      signal: new AbortController().signal,
      assertAddress: () => {
        now.begun += 1;
        begun += 1;
      },
    },
    onResult: () => void (now.ended += 1),
  });
  clearImmediate(turn);
  nextTurn();
  return fullest;
}

describe('a turn of the event loop', () => {
  it('handles only a few refused connections', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { begun, ended, total } = await fullestTurn(port, 2_000);
    expect(total).toBe(1_000);
    expect(begun).toBeLessThanOrEqual(64);
    expect(ended).toBeLessThanOrEqual(64);
  });

  it('handles only a few simultaneous timeouts', async () => {
    const timeoutMs = 300;
    const mute = await rawServer((socket) => socket.on('error', () => undefined).resume());
    let wasHeld = false;
    const { ended } = await fullestTurn(mute.port, timeoutMs, (begun) => {
      if (wasHeld || begun < 500) return;
      wasHeld = true;
      for (const end = performance.now() + timeoutMs; performance.now() < end;);
    });
    await mute.close();
    expect(wasHeld).toBe(true);
    expect(ended).toBeLessThanOrEqual(64);
  });
});
