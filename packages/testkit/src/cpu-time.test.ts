import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { cpuTimeMs } from './cpu-time.ts';

const BUSY_MS = 300;
const busy = `const end = process.cpuUsage().user + ${BUSY_MS * 1_000}; while (process.cpuUsage().user < end);`;

it.runIf(process.platform === 'linux')('CPU time includes the CPU time of child processes', () => {
  const before = cpuTimeMs();
  execFileSync(process.execPath, ['-e', busy]);
  expect(cpuTimeMs() - before).toBeGreaterThan(BUSY_MS * 0.9);
});
