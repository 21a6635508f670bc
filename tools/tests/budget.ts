// Detects when the tests become much more expensive. It compares CPU time, which other programs hardly affect, in units
// of a fixed piece of work, because machines differ in speed.
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';

const FILE = join(ROOT, 'tools/tests/cpu-budget.json');
const MOST_GROWTH = 1.5;
const ROUNDS = 5;

interface Budget {
  /** CPU time of a run of all tests, in units of work. */
  readonly units: number;
}

/** Returns the CPU time of one unit in seconds, as the median of several measurements. */
export function unitSeconds(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const { user, system } = process.cpuUsage();
    unitOfWork();
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / 1_000_000;
  });
  return rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** A mix of typical test work: text, hashes, and memory access that misses the cache. */
function unitOfWork(): void {
  const rows = Array.from({ length: 60_000 }, (_, index) => ({ index, name: `name ${(index * 7_919) % 60_000}` }));
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
  read.sort((a, b) => (a.name < b.name ? -1 : 1));
  const hash = createHash('sha256');
  for (const { name } of read) hash.update(name);
  hash.digest();
}

/** Returns undefined if the run is within the budget, otherwise a message. */
export function budgetProblem(cpuSeconds: number, unit: number): string | undefined {
  const { units } = JSON.parse(readFileSync(FILE, 'utf8')) as Budget; // Written below.
  const used = Math.round(cpuSeconds / unit);
  if (used <= units * MOST_GROWTH) return undefined;
  return `The tests took ${used} units of CPU time, more than ${MOST_GROWTH} times the ${units} in cpu-budget.json. Reduce their cost, or record the new value with --record-budget and give the reason.`;
}

export function recordBudget(cpuSeconds: number, unit: number): void {
  writeFileSync(FILE, `${JSON.stringify({ units: Math.round(cpuSeconds / unit) } satisfies Budget)}\n`);
}
