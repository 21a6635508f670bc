// Certificates over CMP, SCEP and EST: the server and its database run on one core, the clients on the other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@signetry/client';
import { CLIENT_CORE, pinToCore, SERVER_CORE } from './acme-load.ts';
import { costArguments, watchCosts } from './cost/cost-page.ts';
import { percentile, type BenchmarkReport } from './report.ts';
import { cpuSeconds, peakMemoryMiB, startServerProcess, type ServerProcess } from './server-process.ts';

const WARM_UP_S = 10;

export interface EnrollmentSetting {
  readonly client: Client;
  readonly server: ServerProcess;
  /** Trust anchor of the HTTPS listener, in PEM. */
  readonly rootCertificate: Buffer;
  readonly concurrency: number;
}

export interface EnrollmentClient {
  /** Performs one complete transaction, and returns whether it yielded a certificate. Numbers never repeat. */
  enroll(number: number): Promise<boolean>;
  close?(): void;
}

export interface EnrollmentBenchmark {
  readonly name: string;
  readonly goal: string;
  readonly note: string;
  prepare(setting: EnrollmentSetting): Promise<EnrollmentClient>;
}

export async function benchEnrollment(
  options: ReadonlyMap<string, string>,
  benchmark: EnrollmentBenchmark,
): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 10);
  const concurrency = Number(options.get('concurrency') ?? 16);
  const looksInside = options.has('cost');
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  pinToCore(CLIENT_CORE);
  const server = await startServerProcess({
    directory,
    core: SERVER_CORE,
    args: looksInside ? costArguments.args : [],
    ...(looksInside ? { environment: costArguments.environment } : {}),
  });
  try {
    const client = await benchmark.prepare({
      client: createClient({ baseUrl: server.ready.api, token: server.ready.token }),
      server,
      rootCertificate: readFileSync(server.ready.rootCertificate),
      concurrency,
    });
    const numbers = counter();
    await drive(client, { numbers, concurrency, seconds: WARM_UP_S });
    const costs = looksInside ? await watchCosts(server) : undefined;
    const cpuBefore = cpuSeconds(server.ready.pid);
    const result = await drive(client, { numbers, concurrency, seconds });
    const cpu = cpuSeconds(server.ready.pid) - cpuBefore;
    const page = await costs?.(result.latencies.length);
    client.close?.();
    return {
      name: `${benchmark.name}, ${concurrency} clients`,
      figures: figuresOf(result, { cpu, goal: benchmark.goal, memory: peakMemoryMiB(server.ready.pid) }),
      notes: [
        `${seconds} s after a warm-up of ${WARM_UP_S} s, server and database pinned to one core if taskset is available. ${benchmark.note}`,
        ...(page ? [page] : []),
      ],
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Result {
  readonly latencies: readonly number[];
  readonly failures: number;
  readonly seconds: number;
}

const figuresOf = (
  { latencies, failures, seconds }: Result,
  { cpu, goal, memory }: { readonly cpu: number; readonly goal: string; readonly memory: number },
) => [
  { name: 'certificates per second', value: latencies.length / seconds, unit: '/s', goal },
  { name: 'CPU per certificate, server and database', value: (cpu / latencies.length) * 1000, unit: 'ms' },
  { name: 'latency, median', value: percentile(latencies, 0.5), unit: 'ms' },
  { name: 'latency, 95th percentile', value: percentile(latencies, 0.95), unit: 'ms' },
  { name: 'failures', value: failures, unit: '', goal: '0' },
  { name: 'peak memory of the server process', value: memory, unit: 'MiB', goal: '<= 350' },
];

function counter(): () => number {
  let last = 0;
  return () => (last += 1);
}

interface Drive {
  readonly numbers: () => number;
  readonly concurrency: number;
  readonly seconds: number;
}

async function drive({ enroll }: EnrollmentClient, { numbers, concurrency, seconds }: Drive): Promise<Result> {
  const started = performance.now();
  const latencies: number[] = [];
  let failures = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      const sent = performance.now();
      if (await enroll(numbers())) latencies.push(performance.now() - sent);
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { latencies, failures, seconds: (performance.now() - started) / 1000 };
}

/** Returns requests prepared in advance, so that the clients use little CPU time during the measurement. */
export function stock<T>(things: readonly T[]): (number: number) => T {
  return (number) => {
    const thing = things[number - 1];
    if (thing === undefined)
      throw new Error(`Only ${things.length} requests were prepared; specify --requests=NUMBER.`);
    return thing;
  };
}
