// `signetry compliance`: checks certificates against the compliance profiles of their RA profiles, and waits for the
// results.
import type {
  ComplianceCheckResultDto,
  ComplianceRuleStatus,
  ComplianceRunDto,
  ComplianceStatus,
} from '@signetry/contract';
import type { ListedCertificate } from '../certificates/responses.ts';
import { findCertificate } from '../certificates/find-certificate.ts';
import { titleOf } from '../certificates/title.ts';
import { command, type Flags } from '../command-line/command.ts';
import { fieldOf } from '../command-line/field-filter.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { CliFailure, usageError } from '../failures.ts';
import { renderFacts, renderTable, type Column, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const flags = {
  all: { about: 'Check all certificates that compliance profiles apply to' },
  ...connectionFlags,
} as const satisfies Flags;

export const checkCompliance = command({
  name: 'compliance',
  about: 'Check certificates against compliance profiles; exits with 1 if any does not comply',
  arguments: [
    { name: 'CERTIFICATE', about: 'name, UUID, serial number or fingerprint of a certificate', optional: true },
  ],
  flags,
  details: [
    'The platform performs the check and stores the results, even if the command is interrupted. With --all, the command waits until all certificates are checked and shows those that do not comply.',
    'The exit code is 0 if all certificates comply or no rule applies to them. `signetry lint` checks files without a platform.',
  ],
  examples: ['signetry compliance www.example.com', 'signetry compliance --all', 'signetry compliance --all --json'],
  async run({ args: [selector], flags: given, json }, context) {
    if ((selector === undefined) === !given.all)
      throw usageError('Specify a certificate or --all.', 'Exactly one of the two is required.');
    const connection = await connect(given, context);
    return selector === undefined
      ? checkAll(connection, { json, context })
      : checkOne(connection, selector, { json, context });
  },
});

interface PrintOptions {
  readonly json: boolean;
  readonly context: Context;
}

async function checkOne(connection: Connection, selector: string, { json, context }: PrintOptions): Promise<ExitCode> {
  const { client, options } = connection;
  const certificate = await findCertificate(connection, selector);
  const params = { resource: 'certificates', objectUuid: certificate.uuid } as const;
  const start = () => client.compliance.checkResourceObjectComplianceV2({ params }, options);
  const run = await followRun(connection, await startRun(connection, start), context);
  const result = await client.compliance.getComplianceCheckResultV2({ params }, options);
  if (json) printJson(context, { certificateUuid: certificate.uuid, ...result });
  else printResult(context, titleOf(certificate), result);
  return run.state === 'finished' && COMPLIANT.has(result.status) ? EXIT.ok : EXIT.failed;
}

/** A certificate to which no rule applies counts as compliant. */
const COMPLIANT: ReadonlySet<ComplianceStatus> = new Set(['ok', 'na', 'not_checked']);

const words: Readonly<Record<ComplianceStatus, readonly [text: string, tone?: Tone]>> = {
  ok: ['compliant', 'good'],
  nok: ['not compliant', 'bad'],
  na: ['no rule applies'],
  not_checked: ['not checked: no compliance profile applies'],
  failed: ['check failed', 'bad'],
};

const ruleTones: Readonly<Record<ComplianceRuleStatus, Tone | undefined>> = {
  ok: 'good',
  nok: 'bad',
  na: undefined,
  not_available: 'warning',
};

const ruleWords: Readonly<Record<ComplianceRuleStatus, string>> = {
  ok: 'fulfilled',
  nok: 'violated',
  na: 'not applicable',
  not_available: 'could not be checked',
};

type FailedRule = ComplianceCheckResultDto['failedRules'][number];

const ruleColumns: readonly Column<FailedRule>[] = [
  { title: 'Outcome', isWhole: true, text: ({ status }) => ruleWords[status], tone: ({ status }) => ruleTones[status] },
  { title: 'Rule', text: ({ name }) => name },
  { title: 'Requirement', isMinor: true, text: ({ description = '' }) => description },
  { title: 'Checked by', isMinor: true, text: ({ connectorName = 'the platform' }) => connectorName },
];

function printResult(context: Context, title: string, { status, timestamp, message, failedRules }: ComplianceCheckResultDto): void {
  const [text, tone] = words[status];
  const facts = [
    ['Certificate', title],
    ['Compliance', text, tone],
    ['Checked', timestamp],
    ['Message', message],
  ] as const;
  context.out(renderFacts(facts, context));
  // Rules for other kinds of objects are irrelevant here.
  const rules = failedRules.filter((rule) => rule.status !== 'na');
  if (rules.length > 0)
    context.out(`\n${renderTable(rules, { columns: ruleColumns, colour: context.colour, width: context.width })}`);
} // prettier-ignore

async function checkAll(connection: Connection, { json, context }: PrintOptions): Promise<ExitCode> {
  const { client, options } = connection;
  const profiles = await client.complianceProfiles.listComplianceProfilesV2({}, options);
  if (profiles.length === 0)
    throw new CliFailure('No compliance profile exists, or none is visible to you.', {
      help: ['Create compliance profiles in the console, and assign them to RA profiles there.'],
    });
  const body = profiles.map(({ uuid }) => uuid);
  const start = () => client.compliance.checkComplianceV2({ body, query: { resource: 'certificates' } }, options);
  const run = await followRun(connection, await startRun(connection, start), context);
  const { certificates, hasMore } = await findNonCompliant(connection);
  if (json) printJson(context, { run, certificates, hasMore });
  else printRun(context, run, { certificates, hasMore });
  return run.state === 'finished' && run.notCompliant === 0 && run.failed === 0 ? EXIT.ok : EXIT.failed;
}

/** Maximum number of certificates to show. The console and `signetry certificates list` show all. */
const MAX_SHOWN = 1_000;
const property = fieldOf('certificates');

interface NonCompliant {
  readonly certificates: readonly ListedCertificate[];
  readonly hasMore: boolean;
}

async function findNonCompliant({ client, options }: Connection): Promise<NonCompliant> {
  const filters = [property('COMPLIANCE_STATUS', { condition: 'EQUALS', value: ['nok', 'failed'] })];
  const body = { filters, itemsPerPage: MAX_SHOWN, pageNumber: 1 };
  const { certificates, totalItems } = await client.certificateSearch.searchCertificates({ body }, options);
  return { certificates, hasMore: totalItems > certificates.length };
}

const columnsOf = (now: number): readonly Column<ListedCertificate>[] => [
  { title: 'Certificate', text: titleOf },
  {
    title: 'Compliance',
    isWhole: true,
    text: ({ complianceStatus }) => words[complianceStatus][0],
    tone: ({ complianceStatus }) => words[complianceStatus][1],
  },
  { title: 'RA profile', isMinor: true, text: ({ raProfile }) => raProfile?.name ?? '' },
  { title: 'Valid until', isMinor: true, text: ({ notAfter }) => (notAfter === undefined ? '' : describeTime(notAfter, now)) },
  { title: 'UUID', isWhole: true, text: ({ uuid }) => uuid },
]; // prettier-ignore

function printRun(context: Context, run: ComplianceRunDto, { certificates, hasMore }: NonCompliant): void {
  const { colour, width } = context;
  if (certificates.length > 0)
    context.out(renderTable(certificates, { columns: columnsOf(context.now()), colour, width }));
  if (hasMore) context.err(`Showing the first ${count(certificates.length)}.`);
  const { processed, compliant, notCompliant, notApplicable, failed, state, stoppedBy } = run;
  const parts = [
    `${count(compliant)} compliant`,
    `${count(notCompliant)} not compliant`,
    `${count(notApplicable)} with no applicable rule`,
    ...(failed > 0 ? [`${count(failed)} with a failed check`] : []),
  ];
  context.err(`${count(processed)} checked: ${parts.join(', ')}.`);
  if (state === 'stopped')
    context.err(`The check was stopped${stoppedBy === undefined ? '' : ` by ${stoppedBy}`} before it finished.`);
}

const count = (number: number): string => number.toLocaleString('en');

/** Maximum number of runs that can start between the two list calls. */
const LOOKED_AT = 100;

/**
 * Starts a check and returns the UUID of its run. The operation does not return the run, so it is identified as the one
 * that was not listed before.
 */
async function startRun({ client, options }: Connection, start: () => Promise<unknown>): Promise<string> {
  const runs = async () =>
    (await client.complianceRuns.listComplianceRuns({ query: { itemsPerPage: LOOKED_AT } }, options)).runs;
  const before = new Set((await runs()).map(({ uuid }) => uuid));
  await start();
  const run = (await runs()).findLast(({ uuid }) => !before.has(uuid));
  if (!run) throw new CliFailure('The platform did not start a check.', {});
  return run.uuid;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const GROWTH = 1.5;

async function followRun({ client, options }: Connection, runUuid: string, context: Context): Promise<ComplianceRunDto> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const run = await client.complianceRuns.getComplianceRun({ params: { runUuid } }, options);
    const hasEnded = run.state === 'finished' || run.state === 'stopped';
    context.status?.(hasEnded ? '' : progressText(run));
    if (hasEnded) return run;
    await context.pause(pauseMs, context.signal);
  }
} // prettier-ignore

const progressText = ({ state, processed, total, notCompliant }: ComplianceRunDto): string =>
  state === 'waiting'
    ? 'Waiting for another check to finish'
    : `${count(processed)} of ${count(total)} checked, ${count(notCompliant)} not compliant`;
