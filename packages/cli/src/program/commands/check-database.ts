// `signetry db check`: checks counters and other derived data against their source.
import type { DerivedDataCheck, DerivedDataReport } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

/** The check counts all certificates, which takes a few seconds per million. */
const TIMEOUT_MS = 30 * 60_000;

export const checkDatabase = command({
  name: 'db check',
  about: 'Check counters and other derived data against their source; exits with 1 if any is wrong',
  flags: {
    ...connectionFlags,
    repair: { about: 'Repair incorrect values, and exit with 0 when done' },
  },
  details: [
    'The platform updates derived data with every change. It can only be wrong if the database was modified by other means.',
  ],
  examples: ['signetry db check', 'signetry db check --repair'],
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const body = { repair: flags.repair };
    const report = await client.derivedData.checkDerivedData({ body }, { ...options, timeoutMs: TIMEOUT_MS });
    if (json) printJson(context, report);
    else context.out(reportText(report, context));
    return report.sound || flags.repair ? EXIT.ok : EXIT.failed;
  },
});

function reportText({ checkedAt, checks }: DerivedDataReport, { now, colour }: Context): string {
  const facts: readonly Fact[] = [
    ['Checked at', describeTime(checkedAt, now())],
    ...checks.flatMap((check) => [verdictOf(check), ...check.examples.map(exampleOf)]),
  ];
  return renderFacts(facts, { colour });
}

function verdictOf({ name, wrong, repaired }: DerivedDataCheck): Fact {
  const label = name[0]?.toUpperCase() + name.slice(1);
  if (wrong === 0) return [label, 'correct', 'good'];
  return repaired
    ? [label, `${wrong} wrong ${wrong === 1 ? 'value' : 'values'} repaired`, 'good']
    : [label, `${wrong} wrong`, 'bad'];
}

const exampleOf = ({ what, kept, right }: DerivedDataCheck['examples'][number]): Fact => [
  'Wrong',
  `${what}: ${kept ?? 'nothing'} instead of ${right ?? 'nothing'}`,
];
