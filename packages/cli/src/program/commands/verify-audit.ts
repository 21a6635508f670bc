// `signetry audit verify`: verifies that the chain of audit records is intact.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuditEndFault, AuditFault, AuditVerificationReport } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { messageOf, usageError } from '../failures.ts';
import { renderFacts, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

/** Verification reads the whole log, which takes minutes for 100 million records. */
const TIMEOUT_MS = 30 * 60_000;

export const verifyAudit = command({
  name: 'audit verify',
  about: 'Verify that the audit log is intact; exits with 1 if it is not',
  flags: {
    ...connectionFlags,
    end: {
      value: 'FILE|VALUE',
      many: true,
      about: 'A log head stored elsewhere, or a file that contains log heads',
    },
  },
  details: [
    'With --end, the command also reports records that are missing or differ from what the platform previously sent to its log, file or webhook. The database alone cannot reveal a rollback to an earlier log head.',
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

/** Maximum number of log heads that the server accepts in one request. If a file contains more, the newest are sent. */
const MAX_ENDS = 2_000;
/** Log head in the format written by the server's `chain-head.ts`. */
const END = /[0-9a-fA-F-]{36}:\d{1,15}:\d{1,15}:[0-9a-f]{64}:[0-9a-f]{64}/g;

async function readEnds(given: readonly string[], { cwd, err }: Context): Promise<string[]> {
  const found: string[] = [];
  for (const text of given) {
    const isValue = text.replace(END, '') === '';
    const ends = (isValue ? text : await contentOf(resolve(cwd, text))).match(END);
    if (ends === null) throw usageError(`--end: ${text} contains no audit log head.`);
    found.push(...ends);
  }
  const distinct = [...new Set(found)];
  if (distinct.length > MAX_ENDS)
    err(`signetry: comparing only the newest ${MAX_ENDS} of ${distinct.length} log heads.`);
  return distinct.slice(-MAX_ENDS);
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw usageError(`--end: not an audit log head, and not a readable file: ${messageOf(error)}`);
  }
}

function reportText(report: AuditVerificationReport, { now, colour }: Context): string {
  const { intact, gaps, gapCount, brokenLinks, badRecords, firstFault, unsealedOverdue } = report;
  const bad = (count: number) => (count > 0 ? 'bad' : undefined);
  const listed = gaps.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
  const facts: readonly Fact[] = [
    ['Audit log', intact ? 'intact' : 'not intact', intact ? 'good' : 'bad'],
    ['Verified', describeTime(report.verifiedAt, now())],
    ['Records', String(report.rows)],
    ['Sealed', String(report.sealed)],
    ['Sealing overdue', String(unsealedOverdue), bad(unsealedOverdue)],
    ['Gaps', gapCount === 0 ? '0' : `${gapCount}: ${listed}${gapCount > gaps.length ? ', …' : ''}`, bad(gapCount)],
    ['Bad records', String(badRecords), bad(badRecords)],
    ['Broken links', String(brokenLinks), bad(brokenLinks)],
    ['Purged', String(report.purged)],
    ['Log heads compared', report.ends === 0 ? undefined : String(report.ends)],
    ...report.endFaults.map((fault): Fact => ['Log head stored externally', endText(fault), 'bad']),
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
