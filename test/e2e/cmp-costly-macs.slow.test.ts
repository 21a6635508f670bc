// Goal: unauthenticated senders cannot delay others through the iteration counts in their MACs. Forty messages with the
// maximum iteration count of the profile, sent simultaneously from one IP address, delay neither another CMP client nor
// the liveness probe.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeMessage, newTransaction, post, readResponse } from './testing/cmp-client.ts';
import { serveCmp, SHARED } from './testing/cmp-profiles.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const MESSAGES = 40;
/** Other load on the machine can distort single measurements. */
const ROUNDS = 3;
const [SAMPLES, LEAST_SAMPLES] = [60, 10];
const MOST_MS = 100;
const FIGURES = join(import.meta.dirname, '../../node_modules/.cache/cmp-costly-macs.txt');
const GENERAL = { type: 'genm', infos: [] } as const;

const server = sharedTestServer();
let path: IssuingPath;

beforeAll(async () => {
  path = await defaultProfile(server.client);
});

const messageOf = (mac: Partial<Parameters<typeof makeMessage>[2]>) =>
  makeMessage(newTransaction(), GENERAL, { ...SHARED, iterations: 500, ...mac });

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Infinity;

/** Response times of a client with the secret and of a probe, measured in turn while `shouldContinue` returns true. */
async function measure(url: string, shouldContinue: (count: number) => boolean) {
  const [legitimate, live]: [number[], number[]] = [[], []];
  for (let count = 0; shouldContinue(count); count += 1) {
    const message = await messageOf({});
    const began = performance.now();
    const answer = readResponse(new Uint8Array(await (await post(url, message)).arrayBuffer()));
    const answered = performance.now();
    expect(answer.body.type).toBe('genp');
    await (await fetch(`${server.ready.http}/health/live`)).text();
    legitimate.push(answered - began);
    live.push(performance.now() - answered);
  }
  return { legitimate: p95(legitimate), live: p95(live) };
}

/** Increase of both response times while the messages are served. */
async function measureDisturbance(messages: readonly Uint8Array[]) {
  // A new profile each time: after several wrong secrets, a profile responds slowly.
  const { url } = await serveCmp(server, path);
  const before = await measure(url, (count) => count < SAMPLES);
  let isServed = false;
  const began = performance.now();
  const attack = Promise.all(messages.map((message) => post(url, message).then(({ status }) => status))).finally(() => {
    isServed = true;
  });
  const during = await measure(url, (count) => !isServed || count < LEAST_SAMPLES);
  expect(new Set(await attack)).toEqual(new Set([200]));
  return {
    legitimate: Math.round(during.legitimate - before.legitimate),
    live: Math.round(during.live - before.live),
    servedMs: Math.round(performance.now() - began),
  };
}

describe('forty simultaneous messages', () => {
  it.each(['passwordBasedMac', 'pbmac1'] as const)(
    'with the maximum iteration count for a %s do not delay other requests',
    async (kind) => {
      const wrong = { kind, iterations: 100_000, secret: 'a guess at the secret' };
      const messages = await Promise.all(Array.from({ length: MESSAGES }, () => messageOf(wrong)));
      const rounds: Awaited<ReturnType<typeof measureDisturbance>>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const measured = await measureDisturbance(messages);
        rounds.push(measured);
        if (measured.legitimate < MOST_MS && measured.live < MOST_MS) break;
      }
      writeFileSync(FIGURES, `${kind}: ${JSON.stringify(rounds)}\n`, { flag: 'a' });
      expect(rounds.at(-1)?.legitimate, JSON.stringify(rounds)).toBeLessThan(MOST_MS);
      expect(rounds.at(-1)?.live, JSON.stringify(rounds)).toBeLessThan(MOST_MS);
    },
  );

  it('with more iterations than the profile accepts are rejected before any key derivation', async () => {
    const { url } = await serveCmp(server, path);
    const answers = await Promise.all(
      Array.from({ length: MESSAGES }, async () => {
        const answer = await post(url, await messageOf({ iterations: 100_001 }));
        return readResponse(new Uint8Array(await answer.arrayBuffer())).words;
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['The MAC specifies 100001 iterations; 100 to 100000 are accepted.']));
  });
});
