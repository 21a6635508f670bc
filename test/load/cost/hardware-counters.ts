// Instructions and cache misses, measured with `perf` if it is installed and the machine supports it; virtual machines
// often do not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const PERF = '/usr/bin/perf';
const EVENTS = ['instructions', 'cycles', 'cache-misses', 'L1-icache-load-misses'];

export interface Counters {
  /**
   * Stops counting. Resolves with a function that formats the counts per certificate, or undefined if nothing was
   * counted.
   */
  stop(): Promise<((certificates: number) => string) | undefined>;
}

export function startCounters(threads: readonly number[]): Counters {
  if (!existsSync(PERF)) return { stop: async () => undefined };
  const args = ['stat', '-x', ';', '-e', EVENTS.join(','), '-t', threads.join(',')];
  const child = spawn(PERF, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.once('error', () => undefined);
  return {
    async stop() {
      child.kill('SIGINT');
      await ended;
      const counted = text
        .split('\n')
        .map((line) => line.split(';'))
        .flatMap(([value = '', , event]) => (/^\d+$/.test(value) && event ? [{ event, value: Number(value) }] : []));
      if (counted.length === 0) return undefined;
      return (certificates) =>
        counted
          .map(({ event, value }) => `${Math.round(value / certificates).toLocaleString('en')} ${event}`)
          .join(', ');
    },
  };
}
