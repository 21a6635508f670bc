// `signetry audit verify`: whether the chain of audit records is whole.
import type { AuditFault, AuditVerificationReport } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

/** The whole log is read: a hundred million records take minutes. */
const TIMEOUT_MS = 30 * 60_000;

export const verifyAudit = command({
  name: 'audit verify',
  about: 'Verify that the audit log is whole; ends with 1 when it is not',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const report = await client.auditVerification.verifyAuditLog({}, { ...options, timeoutMs: TIMEOUT_MS });
    if (json) printJson(context, report);
    else context.out(reportText(report, context));
    return report.intact ? EXIT.ok : EXIT.failed;
  },
});

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
    ['First fault', firstFault && faultText(firstFault, now())],
  ];
  return renderFacts(facts, { colour });
}

function faultText({ problem, node, id, sequence, sealedAt }: AuditFault, now: number): string {
  const place = id === undefined ? `node ${node}` : `record ${id} of node ${node}`;
  const time = sealedAt === undefined ? '' : `, sealed ${describeTime(sealedAt, now)}`;
  return `${problem}: ${place}${sequence === undefined ? '' : `, sequence ${sequence}`}${time}`;
}
