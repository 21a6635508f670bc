// Vitest runs this before each test file, also where files share a worker.
import { afterAll } from 'vitest';
import { cpuTimeMs } from './cpu-time.ts';
import { endFile } from './file-end.ts';
import { waitPatiently } from './patience.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file, in milliseconds, with that of the programs it started; not that of the database. */
    cpuMs?: number;
  }
}

const before = cpuTimeMs();
waitPatiently();

// oxlint-disable-next-line no-empty-pattern -- vitest reads from it which fixtures a hook wants
afterAll(async ({}, file) => {
  await endFile();
  file.meta.cpuMs = cpuTimeMs() - before;
});
