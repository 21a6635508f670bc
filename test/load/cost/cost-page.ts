// `--cost` of the issuance benchmarks: a page that shows where the time per certificate is spent. It samples the
// server's main thread; PostgreSQL counts its statements, and the kernel measures the CPU time and context switches of
// every thread. Profiling has a cost, and a sample also counts while a different thread has the core. So only the
// proportions are meaningful; use absolute figures from a run without `--cost`.
import type { ServerProcess } from '../server-process.ts';
import { inDatabaseOf } from '../database-of-server.ts';
import { startCounters } from './hardware-counters.ts';
import { partsOf, startSampling } from './sample-server.ts';
import { resetStatements, readStatements, STATEMENT_SETTINGS, type StatementCost } from './statement-costs.ts';
import { readThreads, spentBetween, type ThreadCost } from './thread-costs.ts';

/** Start options that enable profiling of the server. */
export const costArguments = {
  args: ['--postgres-settings', STATEMENT_SETTINGS],
  environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
} as const;

/** Starts profiling. The returned function stops it and returns the page for a number of certificates, as Markdown. */
export async function watchCosts(server: ServerProcess): Promise<(certificates: number) => Promise<string>> {
  await inDatabaseOf(server.directory, resetStatements);
  const before = readThreads(server.ready.pid);
  const started = performance.now();
  const counters = startCounters(before.map(({ thread }) => thread));
  const sampling = await startSampling(server);
  return async (certificates) => {
    const profile = await sampling.stop();
    const threads = spentBetween(before, readThreads(server.ready.pid));
    const elapsedMs = performance.now() - started;
    const counted = await counters.stop();
    const statements = await inDatabaseOf(server.directory, readStatements);
    const main = threads.find(({ group }) => group === 'server: main thread');
    const each = (value: number): string => (value / certificates).toFixed(3);
    return [
      `${certificates} certificates in ${(elapsedMs / 1000).toFixed(1)} s; all figures are per certificate.`,
      threadTable(threads, each),
      'Main thread of the server, by part:',
      partTable(partsOf(profile), main?.cpuMs ?? 0, each),
      'Database statements, as measured by PostgreSQL:',
      statementTable(statements, certificates),
      counted ? `Hardware counters: ${counted(certificates)}` : 'The machine has no hardware counters.',
    ].join('\n\n');
  };
}

type Each = (value: number) => string;

function threadTable(threads: readonly ThreadCost[], each: Each): string {
  const rows = threads
    .filter(({ cpuMs }) => cpuMs > 0)
    .map(({ group, cpuMs, waits, losses }) => `| ${group} | ${each(cpuMs)} ms | ${each(waits)} | ${each(losses)} |`);
  const sum = threads.reduce((total, { cpuMs }) => total + cpuMs, 0);
  return [
    '| Threads | CPU | voluntary switches | involuntary switches |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    `| all | ${each(sum)} ms | | |`,
  ].join('\n');
}

function partTable(parts: ReadonlyMap<string, number>, cpuMs: number, each: Each): string {
  const sum = [...parts.values()].reduce((total, samples) => total + samples, 0);
  const rows = [...parts]
    .toSorted(([, one], [, other]) => other - one)
    .map(
      ([part, samples]) =>
        `| ${part} | ${((samples / sum) * 100).toFixed(1)} % | ${each((samples / sum) * cpuMs)} ms |`,
    );
  return ['| Part | Share | CPU |', '| --- | ---: | ---: |', ...rows].join('\n');
}

function statementTable(statements: readonly StatementCost[], certificates: number): string {
  const rows = statements.map(
    ({ text, calls, executeMs, planMs, rows: touched, walBytes }) =>
      `| ${(calls / certificates).toFixed(2)} | ${(executeMs / certificates).toFixed(3)} ms | ` +
      `${(planMs / certificates).toFixed(3)} ms | ${(touched / certificates).toFixed(2)} | ` +
      `${Math.round(walBytes / certificates)} | ${text} |`,
  );
  return [
    '| Calls | Executing | Planning | Rows | Bytes of WAL | Statement |',
    '| ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}
