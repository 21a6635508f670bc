// Vitest runs this file before each test file, even if files share a worker.
import { afterAll } from 'vitest';
import { cpuTimeMs } from './cpu-time.ts';
import { finishFile } from './file-end.ts';
import { waitPatiently } from './patience.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of a file in milliseconds, including the programs it started but not the database. */
    cpuMs?: number;
  }
}

const before = cpuTimeMs();
waitPatiently();

// oxlint-disable-next-line no-empty-pattern -- vitest reads from it which fixtures a hook wants
afterAll(async ({}, file) => {
  await finishFile();
  file.meta.cpuMs = cpuTimeMs() - before;
});
