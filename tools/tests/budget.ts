// Notices when the tests become much more expensive. Processor time is compared, since other programs hardly change it,
// in units of a fixed piece of work, since machines differ in speed.
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';

const FILE = join(ROOT, 'tools/tests/cpu-budget.json');
const MOST_GROWTH = 1.5;
const ROUNDS = 5;

interface Budget {
  /** Of a run of all tests. */
  readonly units: number;
}

/** Processor time of one unit in seconds: the median of a few. */
export function unitSeconds(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const { user, system } = process.cpuUsage();
    unitOfWork();
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / 1_000_000;
  });
  return rounds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

/** Some of everything that tests do: text, hashes, and memory that is not at hand. */
function unitOfWork(): void {
  const rows = Array.from({ length: 60_000 }, (_, index) => ({ index, name: `name ${(index * 7_919) % 60_000}` }));
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
  read.sort((a, b) => (a.name < b.name ? -1 : 1));
  const hash = createHash('sha256');
  for (const { name } of read) hash.update(name);
  hash.digest();
}

/** Undefined when the run is within the budget; a sentence when it is not. */
export function budgetProblem(cpuSeconds: number, unit: number): string | undefined {
  const { units } = JSON.parse(readFileSync(FILE, 'utf8')) as Budget; // written below
  const used = Math.round(cpuSeconds / unit);
  if (used <= units * MOST_GROWTH) return undefined;
  return `The tests took ${used} units of processor time, more than ${MOST_GROWTH} times the ${units} of cpu-budget.json. Make them cheaper, or record the new figure with --record-budget and say why.`;
}

export function recordBudget(cpuSeconds: number, unit: number): void {
  writeFileSync(FILE, `${JSON.stringify({ units: Math.round(cpuSeconds / unit) } satisfies Budget)}\n`);
}
