// `npm run test:faults`: kills the platform under load at named points and at random, restarts it and checks from
// outside that all guarantees hold. Its database is also disconnected, silenced and run out of disk space. Options:
// `--only=rest,acme,enrollment,automation,bulk,nonces,hanging,reported,outages,disk,restarts` `--points=NAME,…`
// `--rounds=N` `--random=N` `--replays=N` `--seed=N` `--keep`.
import { createAcmeSuite } from './acme/acme-suite.ts';
import { createAutomationSuite } from './automation/automation-suite.ts';
import { nonceRun } from './acme/two-nodes.ts';
import { bulkRun } from './bulk/bulk-run.ts';
import { createEnrollmentSuite } from './enrollment/enrollment-suite.ts';
import { fullDiskRun } from './database/full-disk.ts';
import { outageRun } from './database/outages.ts';
import { restartRun } from './database/restarts.ts';
import { hangingConnectorRun } from './hanging-connector.ts';
import { killAndCheck, type KillResult } from './kill-rounds.ts';
import { reportedFailureRun } from './reported-failures.ts';
import { createRestSuite } from './rest-suite.ts';

const text = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
const number = (name: string, initial: number): number => Number(text(name) ?? initial);

const only = text('only')?.split(',') ?? [
  'rest',
  'acme',
  'enrollment',
  'automation',
  'bulk',
  'nonces',
  'hanging',
  'reported',
  'outages',
  'disk',
  'restarts',
];
const points = text('points')?.split(',');
const seed = number('seed', Date.now() % 100_000);

/** Simple seeded random numbers (mulberry32), so that a failing run can be repeated. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomNumbers(seed);
const options = {
  roundsPerPoint: number('rounds', 3),
  randomKills: number('random', 20),
  random,
  keepData: process.argv.includes('--keep'),
};
const totals = { kills: 0, violations: 0, missed: 0 };
function add({ kills, violations, missed }: KillResult): void {
  totals.kills += kills;
  totals.violations += violations.length;
  totals.missed += missed.length;
}
console.log(`Seed ${seed}`);
for (const create of [
  createRestSuite,
  () => createAcmeSuite(random),
  () => createEnrollmentSuite(random),
  () => createAutomationSuite(random),
]) {
  const suite = await create();
  if (!only.includes(suite.name)) {
    await suite.close();
    continue;
  }
  add(await killAndCheck(suite, { ...options, points }));
}
const runs: Readonly<Record<string, () => Promise<KillResult>>> = {
  bulk: () => bulkRun({ rounds: options.roundsPerPoint, random }),
  nonces: () => nonceRun({ replays: number('replays', 20_000), random }),
  hanging: async () => ({ ...(await hangingConnectorRun({ rounds: options.roundsPerPoint })), missed: [] }),
  reported: reportedFailureRun,
  outages: outageRun,
  disk: fullDiskRun,
  restarts: restartRun,
};
for (const [name, run] of Object.entries(runs)) if (only.includes(name)) add(await run());
console.log(
  `\n${totals.kills} kills, ${totals.violations} violations, ${totals.missed} planted faults missed (seed ${seed})`,
);
process.exitCode = totals.violations === 0 && totals.missed === 0 ? 0 : 1;
