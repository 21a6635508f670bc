// Effects of a closed approval on a certificate: the operation is resumed, the request is rejected, or the certificate
// that was to be revoked stays issued.
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ApprovalSubject, DecidedApproval, Decision } from '../../approvals/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { callerName, insertHistory, recordEvent, type HistoryRow } from '../../certificates/index.ts';
import type { OperationKind } from '../tables.ts';
import { reportFailure } from '../operations/report-failure.ts';
import { endRejected, findNames, isArchived, resume, type RejectedOperation } from './store.ts';

export interface SubjectParts {
  readonly platform: Pick<Platform, 'metrics' | 'events'>;
  readonly audit: AuditTrail;
  readonly reconciler: { wake(): void };
}

const EVENTS: Readonly<Record<OperationKind, HistoryRow['event']>> = {
  issue: 'Issue Certificate',
  renew: 'Issue Certificate',
  rekey: 'Issue Certificate',
  revoke: 'Revoke Certificate',
};

/** Message for an approval that arrives after its certificate was archived. */
const ARCHIVED = 'The certificate is archived and cannot be changed.';

export const createApprovalSubject = (parts: SubjectParts): ApprovalSubject => ({
  resource: 'certificates',
  namesOf: findNames,

  async onApproved(tx, approval, facts) {
    const { uuid, object_uuid: certificateUuid } = approval;
    const { at, message, context } = facts;
    if (await isArchived(tx, certificateUuid)) {
      const ended = await endUnperformed(parts, { tx, approval }, { ...facts, message: ARCHIVED });
      if (!ended) return;
      // The approval itself notifies the requester that it was approved.
      const told = { certificateUuid, action: ended.kind, requesterUuid: ended.requester_uuid };
      return reportFailure(tx, parts.platform.events, { ...told, problem: ARCHIVED });
    }
    if (!(await resume(tx, certificateUuid, at))) return;
    const additional = { approvalUuid: uuid };
    const closed = { event: 'Approve action closed', status: 'SUCCESS', message, additional } as const;
    await insertHistory(tx, [{ certificate_uuid: certificateUuid, ...closed }], { at, by: callerName(context) });
  },

  async onRejected(tx, approval, decision) {
    await endUnperformed(parts, { tx, approval }, decision);
  },

  goOn: parts.reconciler.wake,
});

/** Ends the waiting operation without carrying it out; returns the operation's details. */
async function endUnperformed(
  { platform, audit }: SubjectParts,
  { tx, approval }: { readonly tx: Executor; readonly approval: DecidedApproval },
  { at, message, context }: Decision,
) {
  const { uuid, object_uuid: certificateUuid } = approval;
  const ended = await endRejected(tx, certificateUuid, { problem: message, at });
  if (!ended) return undefined;
  const { kind } = ended;
  const closed = {
    event: 'Approve action closed',
    status: 'FAILED',
    message,
    additional: { approvalUuid: uuid },
  } as const;
  const told = { event: EVENTS[kind], status: 'FAILED', message: endedMessage(ended, message) } as const;
  await recordEvent(
    tx,
    { audit, context, at },
    {
      operation: kind,
      history: [closed, told].map((entry) => ({ certificate_uuid: certificateUuid, ...entry })),
      objects: [{ uuid: certificateUuid }],
      result: 'failure',
      message,
    },
  );
  platform.metrics.certificateOperations.inc({ kind, outcome: 'failed' });
  return ended;
}

function endedMessage({ kind, reason }: RejectedOperation, message: string): string {
  if (kind !== 'revoke') return `Not issued. ${message}`;
  return reason === 'removeFromCRL'
    ? `Not released, still on hold. ${message}`
    : `Not revoked, still issued. ${message}`;
}
