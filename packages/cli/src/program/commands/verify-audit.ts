// `signetry audit verify`: whether the chain of audit records is intact.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuditEndFault, AuditFault, AuditVerificationReport } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { messageOf, wrongUsage } from '../failures.ts';
import { renderFacts, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

/** The whole log is read: a hundred million records take minutes. */
const TIMEOUT_MS = 30 * 60_000;

export const verifyAudit = command({
  name: 'audit verify',
  about: 'Verify that the audit log is intact; exits with 1 if it is not',
  flags: {
    ...connectionFlags,
    end: {
      value: 'FILE|VALUE',
      many: true,
      about:
        'End of a chain that was kept elsewhere: the value itself, or a file (log, --audit-end-file) that holds some',
    },
  },
  details: [
    'With --end it also says what is missing of, or different from, what the platform once sent to its log, file or webhook. The database alone cannot show that its end was set back to an earlier one.',
  ],
  examples: ['signetry audit verify', 'signetry audit verify --end /mnt/log-host/signetry-ends.jsonl'],
  async run({ flags, json }, context) {
    const ends = await readEnds(flags.end, context);
    const { client, options } = await connect(flags, context);
    const body = ends.length === 0 ? undefined : { ends };
    const report = await client.auditVerification.verifyAuditLog({ body }, { ...options, timeoutMs: TIMEOUT_MS });
    if (json) printJson(context, report);
    else context.out(reportText(report, context));
    return report.intact ? EXIT.ok : EXIT.failed;
  },
});

/** As the server takes them in one request: the newest of a file. */
const MAX_ENDS = 2_000;
/** An end as `chain-end.ts` of the server writes it. */
const END = /[0-9a-fA-F-]{36}:\d{1,15}:\d{1,15}:[0-9a-f]{64}:[0-9a-f]{64}/g;

async function readEnds(given: readonly string[], { cwd, err }: Context): Promise<string[]> {
  const found: string[] = [];
  for (const text of given) {
    const isValue = text.replace(END, '') === '';
    const ends = (isValue ? text : await contentOf(resolve(cwd, text))).match(END);
    if (ends === null) throw wrongUsage(`--end: ${text} holds no end of an audit chain.`);
    found.push(...ends);
  }
  const distinct = [...new Set(found)];
  if (distinct.length > MAX_ENDS) err(`signetry: only the newest ${MAX_ENDS} of ${distinct.length} ends are compared.`);
  return distinct.slice(-MAX_ENDS);
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw wrongUsage(
      `--end: this is neither the end of an audit chain nor a file that can be read: ${messageOf(error)}`,
    );
  }
}

function reportText(report: AuditVerificationReport, { now, colour }: Context): string {
  const { intact, gaps, gapCount, brokenLinks, badRecords, firstFault, unsealedOverdue } = report;
  const bad = (count: number) => (count > 0 ? 'bad' : undefined);
  const listed = gaps.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
  const facts: readonly Fact[] = [
    ['Audit log', intact ? 'intact' : 'not intact', intact ? 'good' : 'bad'],
    ['Verified at', describeTime(report.verifiedAt, now())],
    ['Records', String(report.rows)],
    ['Sealed', String(report.sealed)],
    ['Overdue for sealing', String(unsealedOverdue), bad(unsealedOverdue)],
    ['Gaps', gapCount === 0 ? '0' : `${gapCount}: ${listed}${gapCount > gaps.length ? ', …' : ''}`, bad(gapCount)],
    ['Bad records', String(badRecords), bad(badRecords)],
    ['Broken links', String(brokenLinks), bad(brokenLinks)],
    ['Purged', String(report.purged)],
    ['Ends compared', report.ends === 0 ? undefined : String(report.ends)],
    ...report.endFaults.map((fault): Fact => ['End kept elsewhere', endText(fault), 'bad']),
    ['First fault', firstFault && faultText(firstFault, now())],
  ];
  return renderFacts(facts, { colour });
}

const endText = ({ node, seals, records, problem }: AuditEndFault): string =>
  `node ${node}, ${seals} seals, ${records} records: ${problem}`;

function faultText({ problem, node, id, sequence, sealedAt }: AuditFault, now: number): string {
  const place = id === undefined ? `node ${node}` : `record ${id} of node ${node}`;
  const time = sealedAt === undefined ? '' : `, sealed ${describeTime(sealedAt, now)}`;
  return `${problem}: ${place}${sequence === undefined ? '' : `, sequence ${sequence}`}${time}`;
}
