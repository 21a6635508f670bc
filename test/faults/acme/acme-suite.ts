// ACME orders, with correct, late or wrong challenge responses, and revocations; every request is repeated after the
// kill.
import type { Database } from '@signetry/server/database';
import { faultPointNames } from '../../../packages/server/src/kernel/fault-points.ts';
import type { ServerProcess } from '../../load/server-process.ts';
import { checkDatabase, type Violation } from '../check-database.ts';
import { checkInterface } from '../check-interface.ts';
import { Evidence } from '../evidence.ts';
import { connect, findProfile } from '../load.ts';
import { missedFaults, plantedFaults } from '../planted.ts';
import type { Suite } from '../suite.ts';
import { AcmeEvidence } from './acme-evidence.ts';
import { AcmeWorker } from './acme-worker.ts';
import { checkAcmeDatabase } from './check-acme-database.ts';
import { checkAcmeInterface } from './check-acme-interface.ts';
import { PUBLIC_URL } from './fault-client.ts';
import { plantedAcmeFaults } from './planted-acme.ts';
import { replayAll } from './replays.ts';
import { startTargets } from './targets.ts';

const WORKERS = 8;
/** Nonces that are issued in one run of the platform and used in later runs. */
const STOCK = 60;
/** Number of older items checked again after a kill, in addition to everything since the previous check. */
const OLDER = 60;
const PARALLEL = 6;
/** Time within which unfinished work completes once everything else has settled. */
const FINISH_TIMEOUT_MS = 60_000;

const OPEN_WORK = `SELECT
  (SELECT count(*) FROM certificate_operation WHERE state IN ('pending', 'undecided'))
  + (SELECT count(*) FROM acme_order o LEFT JOIN certificate c ON c.uuid = o.certificate_uuid
     WHERE o.status = 'processing' AND coalesce(c.state, '') NOT IN ('issued', 'revoked', 'failed', 'rejected'))
  + (SELECT count(*) FROM acme_authorization WHERE status = 'pending' AND challenge_status = 'processing') AS open`;

export async function createAcmeSuite(random: () => number): Promise<Suite> {
  return new AcmeSuite(await startTargets(), random);
}

class AcmeSuite implements Suite {
  readonly name = 'acme';
  readonly args: readonly string[];
  readonly points = faultPointNames;
  readonly openWork = OPEN_WORK;
  private readonly targets: Targets;
  private readonly random: () => number;
  private readonly evidence = new AcmeEvidence();
  private readonly workers: readonly AcmeWorker[];
  private server: ServerProcess | undefined;
  /** How much of the evidence was covered by earlier checks. */
  private readonly checked = { orders: 0, uses: 0, certificates: 0, revocations: 0, contradictions: 0 };
  private replays = 0;

  constructor(targets: Targets, random: () => number) {
    const { evidence, origin } = this;
    this.targets = targets;
    this.random = random;
    this.args = [`--public-url=${PUBLIC_URL}`, '--egress-allowed-hosts=127.0.0.1', ...targets.args];
    this.workers = Array.from(
      { length: WORKERS },
      (_, index) => new AcmeWorker({ index, origin, targets, evidence, random }),
    );
  }

  async load(started: ServerProcess, signal: AbortSignal): Promise<void> {
    this.server = started;
    await Promise.all([this.workers[0]?.client.stockUp(STOCK), this.runWorkers(signal, { begins: true })]);
  }

  async check(started: ServerProcess, database: Database): Promise<Violation[]> {
    this.server = started;
    const { evidence, checked } = this;
    const client = connect(started.ready);
    const { authorityUuid } = await findProfile(client);
    const { issued, revoked, crls } = evidence.certificates;
    // Certificates revoked from here on appear in OCSP immediately, but only in the next CRL.
    const revocations = this.sample(revoked, checked.revocations);
    checked.revocations = revoked.length;
    // Replayed before anything else uses nonces: those of the killed run.
    await this.replay(checked.uses);
    const unfinished = await this.finishBegun();
    const sampled = { issued: this.sample(issued, checked.certificates), revoked: revocations, crls };
    const certificates = Object.assign(new Evidence(), sampled);
    const orders = this.sample(evidence.ended, checked.orders);
    const found = [
      ...unfinished,
      ...(await checkDatabase(database)),
      ...(await checkAcmeDatabase(database, evidence.nonces)),
      ...(await checkInterface({ client, http: started.ready.http, authorityUuid, evidence: certificates })),
      ...(await checkAcmeInterface({ client, database, evidence, workers: this.workers, orders })),
      ...evidence.contradictions.slice(checked.contradictions),
      ...evidence.nonces.violations(),
    ];
    Object.assign(checked, {
      orders: evidence.ended.length,
      uses: evidence.nonces.useCount,
      certificates: issued.length,
      contradictions: evidence.contradictions.length,
    });
    this.server = undefined;
    return found;
  }

  async missedFaults(started: ServerProcess, database: Database): Promise<string[]> {
    this.server = started;
    const { evidence, workers } = this;
    return missedAcmeFaults(database, { started, evidence, workers, replay: (from) => this.replay(from) });
  }

  summary(): string {
    const { ended, certificates, nonces } = this.evidence;
    return (
      `${ended.length} orders ended, ${certificates.issued.length} certificates, ` +
      `${certificates.revoked.length} revoked, ${nonces.useCount} nonces used, ${this.replays} replays, ` +
      `${nonces.troubles.length} 5xx responses`
    );
  }

  async close(): Promise<void> {
    await this.targets.close();
  }

  private readonly origin = (): string | undefined => this.server?.ready.http;

  private runWorkers(signal: AbortSignal, options: { readonly begins: boolean }): Promise<unknown> {
    return Promise.all(this.workers.map((worker) => worker.run(signal, options)));
  }

  private async finishBegun(): Promise<Violation[]> {
    await this.runWorkers(AbortSignal.timeout(FINISH_TIMEOUT_MS), { begins: false });
    return this.workers.flatMap((worker, index): Violation[] =>
      worker.isIdle ? [] : [{ invariant: 'I11', what: `client ${index} cannot finish its order: ${worker.where}` }],
    );
  }

  /** Returns everything from `from` on, and a sample of older items. */
  private sample<Item>(items: readonly Item[], from: number): Item[] {
    const older = Array.from({ length: Math.min(OLDER, from) }, () => items[Math.floor(this.random() * from)]);
    return [...items.slice(from), ...older.filter((item) => item !== undefined)];
  }

  private async replay(from: number): Promise<void> {
    const { nonces } = this.evidence;
    const uses = this.sample(nonces.all, from);
    this.replays += await replayAll(uses, { ledger: nonces, origins: [this.origin], parallel: PARALLEL });
  }
}

type Targets = Awaited<ReturnType<typeof startTargets>>;

/** Plants every fault and returns those that the checks do not detect. */
async function missedAcmeFaults(
  database: Database,
  facts: {
    readonly started: ServerProcess;
    readonly evidence: AcmeEvidence;
    readonly workers: readonly AcmeWorker[];
    readonly replay: (from: number) => Promise<void>;
  },
): Promise<string[]> {
  const { started, evidence, workers, replay } = facts;
  const check = async (planted: Parameters<typeof checkDatabase>[0]) => [
    ...(await checkDatabase(planted)),
    ...(await checkAcmeDatabase(planted, evidence.nonces)),
  ];
  const missed = await missedFaults(database, { faults: [...plantedFaults, ...plantedAcmeFaults], check });
  // Irreversible, so this is last: a platform that has forgotten which nonces were used.
  await database.query('DELETE FROM acme_used_nonce');
  await replay(evidence.nonces.useCount);
  if (evidence.nonces.violations().length === 0) missed.push('used nonces are forgotten');
  await database.query('UPDATE acme_account SET successful_orders_gone = 1');
  const client = connect(started.ready);
  const counted = await checkAcmeInterface({ client, database, evidence, workers, orders: [] });
  if (!counted.some(({ invariant }) => invariant === 'I11')) missed.push('orders are counted twice');
  return missed;
}
