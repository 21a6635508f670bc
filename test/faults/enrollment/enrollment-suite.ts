// Enrollments over CMP, SCEP and EST. An issued certificate must stay valid after every kill, a repeated request must
// return the same certificate, and a one-time secret must admit one request.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@signetry/client';
import { parseCertificate, readPkcs7, type Certificate } from '@signetry/pki';
import type { Database } from '@signetry/server/database';
import { makeDevice } from '../../e2e/testing/scep-messages.ts';
import { makeScepCertificate } from '../../e2e/testing/scep-profiles.ts';
import { createUnattendedToken } from '../../e2e/testing/tokens.ts';
import type { ReadyFacts, ServerProcess } from '../../load/server-process.ts';
import { checkDatabase, runChecks, type Queryable, type Violation } from '../check-database.ts';
import { connect, findProfile, sha256, type Profile } from '../load.ts';
import { missedFaults, plantedFaults } from '../planted.ts';
import type { Suite } from '../suite.ts';
import { enrollmentChecks, plantedEnrollmentFaults } from './check-enrollments.ts';
import {
  beginCmp,
  beginEst,
  beginScep,
  Contradiction,
  PASSWORD,
  PROFILE,
  SECRET,
  USER,
  type Begin,
  type Transaction,
} from './devices.ts';

const DEVICES_OF_EACH = 2;
const AGAIN_MS = 50;
/** Earlier certificates that each check requests again, in addition to all new ones since the last check. */
const OLDER = 40;
const FINISH_TIMEOUT_MS = 60_000;

interface ReportedCertificate {
  readonly transaction: Transaction;
  readonly fingerprint: string;
}

export async function createEnrollmentSuite(random: () => number): Promise<Suite> {
  const device = await makeDevice('CN=signer of the faults');
  let recipient: Certificate | undefined;
  let profile: Profile | undefined;
  const requirePrepared = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The suite is not prepared.');
    return value;
  };
  const scep = beginScep({
    device,
    recipient: () => requirePrepared(recipient),
    profile: () => requirePrepared(profile),
  });
  const fleet = new Fleet([beginCmp, scep, beginEst], random);
  const check = async (database: Queryable) => [
    ...(await checkDatabase(database)),
    ...(await runChecks(database, enrollmentChecks)),
  ];
  return {
    name: 'enrollment',
    args: [],
    points: [
      'enrollment.afterBegin',
      'issue.beforeIntent',
      'issue.afterIntent',
      'issue.afterSignature',
      'issue.afterRecord',
      'enrollment.beforeSettled',
    ],
    openWork: `SELECT count(*) AS open FROM certificate_operation WHERE state IN ('pending', 'undecided')`,
    // A request left behind by a dead node is resumed after a minute.
    passLeases: [`UPDATE enrollment SET updated_at = updated_at - interval '1 hour' WHERE state = 'waiting'`],
    async prepare(server) {
      const client = connect(server.ready);
      profile = await findProfile(client);
      recipient = await declare(client, { ready: server.ready, profile });
    },
    load: ({ ready }, signal) => fleet.run(ready, signal, { begins: true }),
    async check({ ready }, database) {
      await fleet.run(ready, AbortSignal.timeout(FINISH_TIMEOUT_MS), { begins: false });
      return [...fleet.unfinished(), ...(await check(database)), ...(await fleet.verify(ready, database))];
    },
    async missedFaults({ ready }: ServerProcess, database: Database) {
      const missed = await missedFaults(database, {
        faults: [...plantedFaults.filter(({ finds }) => finds !== 'I5'), ...plantedEnrollmentFaults],
        check,
      });
      // This cannot be undone, so it runs last: the enrollments are deleted, and repeated requests get new
      // certificates.
      await database.query(`DELETE FROM enrollment WHERE protocol = 'est'`);
      if ((await fleet.verify(ready, database)).length === 0) missed.push('enrollments are lost');
      return missed;
    },
    summary: () => fleet.summary(),
    close: () => Promise.resolve(),
  };
}

/** Creates profiles for the three protocols, and returns the certificate that SCEP messages are encrypted to. */
async function declare(
  client: Client,
  { ready, profile }: { readonly ready: ReadyFacts; readonly profile: Profile },
): Promise<Certificate> {
  const { raProfileUuid } = profile;
  const protection = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
  const cmp = await client.cmpProfiles.createCmpProfile({
    body: { name: PROFILE, variant: 'v2', raProfileUuid, sharedSecret: SECRET, ...protection },
  });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: cmp.uuid } });
  const users = [{ username: USER, password: PASSWORD }];
  const est = await client.estProfiles.createEstProfile({ body: { name: PROFILE, raProfileUuid, users } });
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid: est.uuid } });
  const scep = await client.scepProfiles.createScepProfile({
    body: {
      name: PROFILE,
      raProfileUuid,
      caCertificateUuid: await makeScepCertificate(client, profile, await createUnattendedToken(client)),
      oneTimeChallenges: true,
      includeCaCertificate: false,
      includeCaCertificateChain: false,
      issueCertificateAttributes: [],
    },
  });
  await client.scepProfiles.enableScepProfile({ params: { uuid: scep.uuid } });
  const response = await fetch(`${ready.http}/api/v1/protocols/scep/${PROFILE}/pkiclient.exe?operation=GetCACert`);
  const [der] = readPkcs7(new Uint8Array(await response.arrayBuffer()));
  if (!der) throw new Error('GetCACert returned no certificate.');
  return parseCertificate(der);
}

/** All devices, with their issued certificates. */
class Fleet {
  private readonly begins: readonly Begin[];
  private readonly random: () => number;
  private readonly open: (Transaction | undefined)[];
  private readonly told: ReportedCertificate[] = [];
  private readonly contradictions: Violation[] = [];
  /** Number of certificates that earlier checks have covered. */
  private checked = 0;

  constructor(kinds: readonly Begin[], random: () => number) {
    this.begins = kinds.flatMap((kind) => Array.from({ length: DEVICES_OF_EACH }, () => kind));
    this.open = this.begins.map(() => undefined);
    this.random = random;
  }

  /** Runs until the signal; with `begins: false`, until all started transactions have a certificate. */
  async run(ready: ReadyFacts, signal: AbortSignal, { begins }: { readonly begins: boolean }): Promise<void> {
    const client = connect(ready);
    const workers = this.begins.map(async (begin, index) => {
      const hasWork = (): boolean => begins || this.open[index] !== undefined;
      while (!signal.aborted && hasWork()) {
        try {
          await this.step(index, { ready, begin: () => begin(ready, client) });
        } catch (error) {
          if (error instanceof Contradiction) this.contradict(index, error);
          else await delay(AGAIN_MS);
        }
      }
    });
    await Promise.all(workers);
  }

  private async step(
    index: number,
    { ready, begin }: { readonly ready: ReadyFacts; readonly begin: () => Promise<Transaction> },
  ): Promise<void> {
    const transaction = (this.open[index] ??= await begin());
    const der = await transaction.ask(ready);
    if (!der) {
      await delay(AGAIN_MS);
      return;
    }
    this.told.push({ transaction, fingerprint: sha256(der) });
    this.open[index] = undefined;
  }

  private contradict(index: number, { message }: Contradiction): void {
    this.contradictions.push({ invariant: 'I11', what: message });
    this.open[index] = undefined;
  }

  unfinished(): Violation[] {
    return this.open.flatMap((transaction): Violation[] =>
      transaction ? [{ invariant: 'I11', what: `${transaction.subject} does not get a certificate` }] : [],
    );
  }

  /** Checks that issued certificates are valid and that repeated requests return them. */
  async verify(ready: ReadyFacts, database: Database): Promise<Violation[]> {
    const older = Array.from({ length: OLDER }, () => this.told[Math.floor(this.random() * this.checked)]);
    const sample = [...this.told.slice(this.checked), ...older.filter((each) => each !== undefined)];
    this.checked = this.told.length;
    const found: Violation[] = this.contradictions.splice(0);
    const rows = await database.query<{ fingerprint: string }>(
      `SELECT fingerprint FROM certificate WHERE state = 'issued' AND fingerprint = ANY ($1)`,
      [sample.map(({ fingerprint }) => fingerprint)],
    );
    const inForce = new Set(rows.map(({ fingerprint }) => fingerprint));
    for (const { transaction, fingerprint } of sample) {
      const { subject, protocol } = transaction;
      if (!inForce.has(fingerprint)) found.push({ invariant: 'I1', what: `${subject} is not in the inventory` });
      if (!transaction.isRepeatable) continue;
      const again = await transaction.ask(ready).catch((error: unknown) => String(error));
      if (typeof again === 'string' || again === undefined || sha256(again) !== fingerprint)
        found.push({
          invariant: 'I2',
          what: `${protocol} returned a different result for ${subject}: ${typeof again === 'string' ? again : 'a different certificate'}`,
        });
    }
    return found;
  }

  summary(): string {
    const count = (protocol: string) => this.told.filter((each) => each.transaction.protocol === protocol).length;
    return `${count('cmp')} over CMP, ${count('scep')} over SCEP, ${count('est')} over EST`;
  }
}
