// Longest turn of a server's event loop, read from the monitor that is loaded into it.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

export const LOOP_MONITOR = new URL('loop-monitor.ts', import.meta.url).href;

/** Returns the longest turn since the last call, in milliseconds of CPU time. */
export async function longestTurnMs({ child }: ServerProcess, file: string): Promise<number> {
  rmSync(file, { force: true });
  child.kill('SIGUSR2');
  while (!existsSync(file)) await delay(5);
  return Number(readFileSync(file, 'utf8'));
}
