// Imports, changes and deletes thousands of certificates. Each operation is killed at a named point, and again at
// random while it resumes. The import is repeated, the others resume automatically, and all must reach exact counts.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { certificateMaker } from '../../load/import.ts';
import { startServerProcess, type ServerProcess } from '../../load/server-process.ts';
import type { Violation } from '../check-database.ts';
import { openDatabase, type KillResult } from '../kill-rounds.ts';
import { connect } from '../load.ts';
import { missedFaults } from '../planted.ts';
import {
  expectedAfterDeletion,
  findDifferences,
  expectedAfterGrouping,
  expectedAfterImport,
  plantedAfterUpdate,
  type Facts,
} from './expected.ts';

/** Seven batches of a change, four of an import. */
const CERTIFICATES = 3_500;
const IMPORT_SETS = 4;
const CHANGE_SETS = 7;
const LONGEST_RANDOM_RUN_MS = 1_500;
const DEATH_TIMEOUT_MS = 60_000;
const FINISH_TIMEOUT_MS = 120_000;

type Client = ReturnType<typeof connect>;
type Ask = (client: Client) => Promise<unknown>;

interface Options {
  readonly rounds: number;
  readonly random: () => number;
}

export async function bulkRun({ rounds, random }: Options): Promise<KillResult> {
  const directory = mkdtempSync(join(tmpdir(), 'signetry-faults-bulk-'));
  const run = new BulkRun(directory, random);
  const make = await certificateMaker();
  try {
    await run.prepare();
    for (let round = 1; round <= rounds; round += 1) await run.round(`round-${round}.pem`, make(CERTIFICATES));
    return { kills: run.kills, violations: run.violations, missed: run.missed };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const filters = [
  { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'ENDS_WITH', value: '.example.com' } as const,
];

class BulkRun {
  kills = 0;
  violations: Violation[] = [];
  missed: string[] = [];
  /** Certificates that earlier rounds changed or deleted, according to the audit log. */
  private updated = 0;
  private removed = 0;
  private readonly directory: string;
  private readonly random: () => number;

  constructor(directory: string, random: () => number) {
    this.directory = directory;
    this.random = random;
  }

  async prepare(): Promise<void> {
    await (await this.start()).stop();
  }

  async round(file: string, pem: string): Promise<void> {
    const body = { files: [{ name: file, content: pem }] };
    const ask: Ask = (client) => client.certificateImport.importCertificates({ body });
    await this.dieAt('certificates.afterImport', IMPORT_SETS - 1, ask);
    await this.dieSometime(ask);
    const facts = await this.live(async (client) => {
      const report = await client.certificateImport.importCertificates({ body });
      if (report.imported + report.known !== CERTIFICATES || report.refused !== 0)
        this.add('I11', `the import answered ${JSON.stringify({ ...report, refusals: [] })}`);
      const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: file } });
      return { file, groupUuid };
    });
    await this.update(facts);
    await this.remove(facts);
    console.log(`bulk ${file}: ${this.kills} kills, ${this.violations.length} violations`);
  }

  private async update(facts: Facts): Promise<void> {
    await this.dieAt('certificates.afterSet', CHANGE_SETS - 1, (client) =>
      client.certificates.bulkUpdateCertificateObjects({ body: { filters, groupUuids: [facts.groupUuid] } }),
    );
    await this.dieSometime();
    await this.live(async (client, server) => {
      await this.expectFinished(client, { total: CERTIFICATES, changed: CERTIFICATES, refused: 0 });
      const expected = [...expectedAfterImport(CERTIFICATES), ...expectedAfterGrouping(CERTIFICATES, this.updated)];
      await this.compare(expected, facts);
      this.updated += CERTIFICATES;
      await this.expectSound(client, server);
    });
  }

  /** Deletes all certificates except one, which a user signs in with. */
  private async remove(facts: Facts): Promise<void> {
    const { userUuid, certificateUuid } = await this.live(async (client) => {
      const body = { filters, itemsPerPage: 1, pageNumber: 1 };
      const uuid = (await client.certificateSearch.searchCertificates({ body })).certificates[0]?.uuid ?? '';
      const user = await client.users.createUser({
        body: { username: `holder of ${facts.file}`, certificateUuid: uuid },
      });
      return { userUuid: user.uuid, certificateUuid: uuid };
    });
    await this.dieAt('certificates.afterSet', CHANGE_SETS - 1, (client) =>
      client.certificates.bulkDeleteCertificate({ body: { filters } }),
    );
    await this.dieSometime();
    await this.live(async (client, server) => {
      await this.expectFinished(client, { total: CERTIFICATES, changed: CERTIFICATES - 1, refused: 1 });
      await this.compare(expectedAfterDeletion(CERTIFICATES, { kept: 1, before: this.removed }), facts);
      await this.expectSound(client, server);
      await client.users.deleteUser({ params: { userUuid } });
      await client.certificates.deleteCertificate({ params: { uuid: certificateUuid } });
      this.removed += CERTIFICATES;
    });
  }

  private start(environment: Record<string, string> = {}): Promise<ServerProcess> {
    return startServerProcess({ directory: this.directory, environment });
  }

  private async live<Result>(act: (client: Client, server: ServerProcess) => Promise<Result>): Promise<Result> {
    const server = await this.start();
    try {
      return await act(connect(server.ready), server);
    } finally {
      await server.stop();
    }
  }

  /** Kills the platform at the point, after 1 to `most` batches. */
  private async dieAt(point: string, most: number, ask: Ask): Promise<void> {
    const passing = 1 + Math.floor(this.random() * most);
    const server = await this.start({ SIGNETRY_FAULT_POINT: `${point}:${passing}` });
    const dead = once(server.child, 'exit').then(() => true);
    void ask(connect(server.ready)).catch(() => undefined);
    if (await Promise.race([dead, delay(DEATH_TIMEOUT_MS, false)])) this.kills += 1;
    else {
      this.add('I11', `the fault point ${point} was not reached`);
      await server.stop();
    }
  }

  /** Kills the platform while it resumes the operation or processes the repeated request. */
  private async dieSometime(ask?: Ask): Promise<void> {
    const server = await this.start();
    const dead = once(server.child, 'exit');
    void ask?.(connect(server.ready)).catch(() => undefined);
    await delay(this.random() * LONGEST_RANDOM_RUN_MS);
    server.child.kill('SIGKILL');
    await dead;
    this.kills += 1;
  }

  private async expectFinished(
    client: Client,
    expected: { readonly total: number; readonly changed: number; readonly refused: number },
  ): Promise<void> {
    const until = performance.now() + FINISH_TIMEOUT_MS;
    for (;;) {
      const [change] = await client.certificateChanges.listCertificateChanges();
      if (change?.finishedAt !== undefined) {
        const { total, changed, refused } = change;
        if (JSON.stringify({ total, changed, refused }) !== JSON.stringify(expected))
          this.add('I11', `counts of the change: ${JSON.stringify({ total, changed, refused })}`);
        return;
      }
      if (performance.now() > until) return this.add('I11', `the change did not finish: ${JSON.stringify(change)}`);
      await delay(200);
    }
  }

  private async compare(expected: Parameters<typeof findDifferences>[1], facts: Facts): Promise<void> {
    const { database, close } = await openDatabase(this.directory);
    try {
      this.violations.push(...(await findDifferences(database, expected, facts)));
      const isAfterUpdate = expected.some(({ what }) => what === 'members of the group');
      if (!isAfterUpdate || this.updated > 0) return;
      const check = (queryable: Parameters<typeof findDifferences>[0]) => findDifferences(queryable, expected, facts);
      this.missed.push(...(await missedFaults(database, { faults: plantedAfterUpdate, check })));
    } finally {
      await close();
    }
  }

  /** Runs the checks of `signetry db check`, including statistics, and verifies the audit chain. */
  private async expectSound(client: Client, server: ServerProcess): Promise<void> {
    const { sound, checks } = await client.derivedData.checkDerivedData({ body: { repair: false } });
    if (!sound) this.add('I11', `derived data: ${JSON.stringify(checks.filter(({ wrong }) => wrong > 0))}`);
    const report = await client.auditVerification.verifyAuditLog();
    if (!report.intact) this.add('I7', `audit chain: ${JSON.stringify(report)} (${server.stderr().slice(-200)})`);
  }

  private add(invariant: Violation['invariant'], what: string): void {
    this.violations.push({ invariant, what });
    console.log(`  ${invariant} ${what}`);
  }
}
