// `--cost` of the benchmarks that issue: one page that says where the time of a certificate goes. The server's own
// thread is sampled, PostgreSQL counts its statements, and the kernel counts the time of every thread and the switches
// between them. Sampling and counting cost something themselves, and a sample counts where the thread stood, also while
// another one had the core: only the shares count, and figures without them beside.
import type { ServerProcess } from '../server-process.ts';
import { inDatabaseOf } from '../database-of-server.ts';
import { startCounters } from './hardware-counters.ts';
import { partsOf, startSampling } from './sample-server.ts';
import { resetStatements, readStatements, STATEMENT_SETTINGS, type StatementCost } from './statement-costs.ts';
import { readThreads, spentBetween, type ThreadCost } from './thread-costs.ts';

/** How the server is to be started, so that it can be looked into. */
export const costArguments = {
  args: ['--postgres-settings', STATEMENT_SETTINGS],
  environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
} as const;

/** Begins to look; what it answers ends it and gives the page for so many certificates, as Markdown. */
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
    const main = threads.find(({ group }) => group === 'server: own thread');
    const each = (value: number): string => (value / certificates).toFixed(3);
    return [
      `${certificates} certificates in ${(elapsedMs / 1000).toFixed(1)} s; all figures are of one certificate.`,
      threadTable(threads, each),
      'Own thread of the server, by part:',
      partTable(partsOf(profile), main?.cpuMs ?? 0, each),
      'Statements of the database, as it measures them itself:',
      statementTable(statements, certificates),
      counted
        ? `Counted by the machine: ${counted(certificates)}`
        : 'The machine counts no instructions or cache misses.',
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
    '| Threads | CPU | switches to wait | switches by force |',
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
