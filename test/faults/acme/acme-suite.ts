// Orders over ACME, with proofs that are good, late or wrong, and revocations; every request is sent again after the
// kill.
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
/** Nonces that are handed out by one run of the platform and used in later runs. */
const STOCK = 60;
/** What is asked for again after a kill: everything since the check before, and so many of what is older. */
const OLDER = 60;
const PARALLEL = 6;
/** What was begun ends within this time after everything is settled. */
const FINISH_TIMEOUT_MS = 60_000;

const OPEN_WORK = `SELECT
  (SELECT count(*) FROM certificate_operation WHERE state IN ('pending', 'undecided'))
  + (SELECT count(*) FROM acme_order o LEFT JOIN certificate c ON c.uuid = o.certificate_uuid
     WHERE o.status = 'processing' AND coalesce(c.state, '') NOT IN ('issued', 'revoked', 'failed', 'rejected'))
  + (SELECT count(*) FROM acme_authorization WHERE status = 'pending' AND challenge_status = 'processing') AS open`;

export async function createAcmeSuite(random: () => number): Promise<Suite> {
  const targets = await startTargets();
  const evidence = new AcmeEvidence();
  let server: ServerProcess | undefined;
  const origin = (): string | undefined => server?.ready.http;
  const workers = Array.from(
    { length: WORKERS },
    (_, index) => new AcmeWorker({ index, origin, targets, evidence, random }),
  );
  const checked = { orders: 0, uses: 0, certificates: 0, revocations: 0, contradictions: 0 };
  let replays = 0;

  const runWorkers = (signal: AbortSignal, options: { readonly begins: boolean }): Promise<unknown> =>
    Promise.all(workers.map((worker) => worker.run(signal, options)));

  async function finishBegun(): Promise<Violation[]> {
    await runWorkers(AbortSignal.timeout(FINISH_TIMEOUT_MS), { begins: false });
    return workers.flatMap((worker, index): Violation[] =>
      worker.isIdle ? [] : [{ invariant: 'I11', what: `client ${index} cannot finish its order: ${worker.where}` }],
    );
  }

  /** Everything from `from` on, and some of what was before. */
  function sample<Item>(items: readonly Item[], from: number): Item[] {
    const older = Array.from({ length: Math.min(OLDER, from) }, () => items[Math.floor(random() * from)]);
    return [...items.slice(from), ...older.filter((item) => item !== undefined)];
  }

  async function replay(from: number): Promise<void> {
    const uses = sample(evidence.nonces.all, from);
    replays += await replayAll(uses, { ledger: evidence.nonces, origins: [origin], parallel: PARALLEL });
  }

  return {
    name: 'acme',
    args: [`--public-url=${PUBLIC_URL}`, ...targets.args],
    points: faultPointNames,
    openWork: OPEN_WORK,
    async load(started, signal) {
      server = started;
      await Promise.all([workers[0]?.client.stockUp(STOCK), runWorkers(signal, { begins: true })]);
    },
    async check(started, database) {
      server = started;
      const client = connect(started.ready);
      const { authorityUuid } = await findProfile(client);
      const { issued, revoked, crls } = evidence.certificates;
      // What is revoked from here on is in OCSP at once, but in the next CRL only.
      const revocations = sample(revoked, checked.revocations);
      checked.revocations = revoked.length;
      // Before anything else uses nonces: those of the run that was killed.
      await replay(checked.uses);
      const unfinished = await finishBegun();
      const certificates = Object.assign(new Evidence(), {
        issued: sample(issued, checked.certificates),
        revoked: revocations,
        crls,
      });
      const found = [
        ...unfinished,
        ...(await checkDatabase(database)),
        ...(await checkAcmeDatabase(database, evidence.nonces)),
        ...(await checkInterface({ client, http: started.ready.http, authorityUuid, evidence: certificates })),
        ...(await checkAcmeInterface({
          client,
          database,
          evidence,
          workers,
          orders: sample(evidence.ended, checked.orders),
        })),
        ...evidence.contradictions.slice(checked.contradictions),
        ...evidence.nonces.violations(),
      ];
      Object.assign(checked, {
        orders: evidence.ended.length,
        uses: evidence.nonces.useCount,
        certificates: issued.length,
        contradictions: evidence.contradictions.length,
      });
      server = undefined;
      return found;
    },
    async missedFaults(started, database) {
      server = started;
      return missedAcmeFaults(database, { started, evidence, workers, replay });
    },
    summary: () =>
      `${evidence.ended.length} orders ended, ${evidence.certificates.issued.length} certificates, ` +
      `${evidence.certificates.revoked.length} revoked, ${evidence.nonces.useCount} nonces used, ${replays} replays, ` +
      `${evidence.nonces.troubles.length} answers 5xx`,
    close: () => targets.close(),
  };
}

/** Plants every fault, and answers those that the checks do not find. */
async function missedAcmeFaults(
  database: Parameters<Suite['missedFaults']>[1],
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
  // For good, so at the very end: a platform that has forgotten which nonces were used.
  await database.query('DELETE FROM acme_used_nonce');
  await replay(evidence.nonces.useCount);
  if (evidence.nonces.violations().length === 0) missed.push('used nonces are forgotten');
  await database.query('UPDATE acme_account SET successful_orders_gone = 1');
  const client = connect(started.ready);
  const counted = await checkAcmeInterface({ client, database, evidence, workers, orders: [] });
  if (!counted.some(({ invariant }) => invariant === 'I11')) missed.push('orders are counted twice');
  return missed;
}
