// Validation of a whole inventory: chains of three P-256 certificates, one cached CRL. The CPU time covers the server
// and database; `--core=N` pins both to one core.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import type { ValidationRunDto } from '@signetry/contract';
import { inDatabaseOf } from './database-of-server.ts';
import { createExternalCertificates } from './external-certificates.ts';
import { cpuSeconds, cpuSecondsByProgram, peakMemoryMiB, startServerProcess } from './server-process.ts';
import type { BenchmarkReport, Figure } from './report.ts';

export async function benchValidation(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 100_000);
  const revoked = Number(options.get('revoked') ?? 100_000);
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const foreign = await createExternalCertificates({ revoked });
  const core = options.get('core');
  const server = await startServerProcess({
    directory,
    args: ['--egress-allowed-hosts', '127.0.0.1'],
    ...(core === undefined ? {} : { core: Number(core) }),
  });
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    await foreign.upload(client);
    await inDatabaseOf(directory, async (database) => {
      await foreign.fill(database, certificates);
      await database.query('VACUUM (ANALYZE)');
    });
    const figures: Figure[] = [];
    for (const name of ['first run', 'next run']) {
      const before = cpuSeconds(server.ready.pid);
      const ofDatabase = cpuSecondsByProgram(server.ready.pid, 'postgres');
      const run = await validateAll(client);
      const cpu = cpuSeconds(server.ready.pid) - before;
      const database = cpuSecondsByProgram(server.ready.pid, 'postgres') - ofDatabase;
      const processed = run.processed ?? 0;
      figures.push(
        { name: `${name}, certificates per CPU-second`, value: processed / cpu, unit: '/s', goal: '>= 3,000' },
        { name: `${name}, share of the database`, value: (database / cpu) * 100, unit: '%' },
        { name: `${name}, certificates per second`, value: run.perSecond ?? 0, unit: '/s', goal: '>= 3,000' },
        { name: `${name}, statuses changed`, value: run.changed ?? 0, unit: '' },
      );
    }
    figures.push({
      name: 'peak memory of the server process',
      value: peakMemoryMiB(server.ready.pid),
      unit: 'MiB',
      goal: '<= 400',
    });
    return {
      name: `Validation of ${certificates.toLocaleString('en')} certificates with a CRL of ${revoked.toLocaleString('en')} entries`,
      figures,
    };
  } finally {
    await server.stop();
    foreign.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function validateAll(client: Client): Promise<ValidationRunDto> {
  const { uuid } = await client.validationRuns.startValidationRun();
  for (;;) {
    const run = await client.validationRuns.getValidationRun();
    if (run.uuid === uuid && run.state === 'finished') return run;
    await delay(250);
  }
}
