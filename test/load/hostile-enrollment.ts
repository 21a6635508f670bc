// CMP, SCEP and EST messages with changed, truncated and repeated bytes. Each must be read or rejected with an error of
// ours, and none may take long.
import { isPkiError } from '@signetry/pki';
import { enrollmentMessages, type EnrollmentMessage } from '../../packages/pki/bench/enrollment-messages.ts';
import type { BenchmarkReport } from './report.ts';

/** Milliseconds above which a message is read again, because the machine may have paused. */
const SUSPECT_MS = 5;
const REPEATED = 5;

export async function benchHostileEnrollment(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const messages = Number(options.get('messages') ?? 1_000_000);
  const random = randomNumbers(Number(options.get('seed') ?? 1));
  const samples = await enrollmentMessages();
  const untyped = new Set<string>();
  let readable = 0;
  let longestMs = 0;
  let slowest = '';
  const started = performance.now();
  for (let number = 0; number < messages; number += 1) {
    const sample = samples[number % samples.length] ?? expectSample();
    const octets = mutate(sample.octets, random);
    const { error, ms } = readTimed(sample, octets);
    if (error === undefined) readable += 1;
    else if (!isPkiError(error)) untyped.add(`${sample.name}: ${String(error)}`);
    if (ms <= longestMs) continue;
    longestMs = ms;
    slowest = sample.name;
  }
  const seconds = (performance.now() - started) / 1000;
  for (const problem of untyped) console.error(problem);
  return {
    name: `${messages.toLocaleString('en')} hostile CMP, SCEP and EST messages`,
    figures: [
      { name: 'unexpected errors', value: untyped.size, unit: '', goal: '0' },
      { name: `longest, ${slowest}`, value: longestMs, unit: 'ms', goal: '<= 100' },
      { name: 'still readable', value: (readable / messages) * 100, unit: '%' },
      { name: 'messages per second', value: messages / seconds, unit: '/s' },
    ],
    notes: [
      `${samples.length} kinds of messages in turn; each with up to four bytes changed, every second with a repeated part, every fourth truncated. Seed ${options.get('seed') ?? 1}.`,
    ],
  };
}

function expectSample(): never {
  throw new Error('No messages to change.');
}

/** Returns the shortest of several times if the first one is long. */
function readTimed({ read }: EnrollmentMessage, octets: Uint8Array): { readonly error: unknown; readonly ms: number } {
  let error: unknown;
  const timeOnce = (): number => {
    const started = performance.now();
    try {
      read(octets);
    } catch (problem) {
      error = problem;
    }
    return performance.now() - started;
  };
  let ms = timeOnce();
  for (let turn = 1; turn < REPEATED && ms > SUSPECT_MS; turn += 1) ms = Math.min(ms, timeOnce());
  return { error, ms };
}

/** Returns integers below a bound, reproducible from the seed (xorshift32). */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed | 0 || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

const LONGEST_REPEATED = 64;

function mutate(sample: Uint8Array, random: (bound: number) => number): Uint8Array {
  let octets = Uint8Array.from(sample);
  for (let left = random(5); left > 0; left -= 1) octets[random(octets.length)] = random(256);
  if (random(2) === 0) {
    const from = random(octets.length);
    const part = octets.slice(from, from + 1 + random(LONGEST_REPEATED));
    octets = Uint8Array.from([...octets.subarray(0, from), ...part, ...octets.subarray(from)]);
  }
  return random(4) === 0 ? octets.subarray(0, random(octets.length)) : octets;
}
