// Settles an operation whose outcome at the authority is unknown when a user declares that the authority did not issue
// the certificate. If it did, uploading the certificate settles the operation (by-appearance.ts).
import type { CertificateNotIssuedRequest } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import {
  callerName,
  failCertificate,
  findCertificate,
  recordEvent,
  type CertificateRow,
} from '../../certificates/index.ts';
import { reportFailure } from '../operations/report-failure.ts';
import { endUndecided } from './store.ts';

export interface PersonSettlerOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
}

export function createPersonSettler({ platform, audit }: PersonSettlerOptions) {
  const { database, clock, events, metrics } = platform;

  /** Rejects the declaration while the authority is still being asked, because the outcome cannot be known yet. */
  return async function declareNotIssued(
    uuid: string,
    { reason }: CertificateNotIssuedRequest,
    context: RequestContext,
  ): Promise<void> {
    const row = isUuid(uuid) ? await findCertificate(database.executor, uuid) : undefined;
    if (!row) throw notFound('Certificate', uuid);
    const message = `Declared as not issued by ${callerName(context)}: ${reason}`;
    const { kind } = await database.transaction(async (tx) => {
      const at = clock.now();
      const ended = await endUndecided(tx, row.uuid, { problem: message, at });
      if (!ended) throw notUndecided(row);
      await failCertificate(tx, row.uuid, { received: undefined, at });
      const occasion = { audit, context, at };
      await recordEvent(tx, occasion, {
        operation: 'update',
        history: [{ certificate_uuid: row.uuid, event: 'Issue Certificate', status: 'FAILED', message }],
        objects: [{ uuid: row.uuid, name: row.common_name }],
        message,
      });
      const told = { certificateUuid: row.uuid, action: ended.kind, requesterUuid: ended.requester_uuid };
      await reportFailure(tx, events, { ...told, problem: message });
      return ended;
    });
    events.wake();
    metrics.certificateOperations.inc({ kind, outcome: 'failed' });
  };
}

const notUndecided = (row: CertificateRow): AppError =>
  new AppError('invalid_state', {
    what: 'Certificate',
    name: row.common_name || row.uuid,
    state: row.state === 'pending_issue' ? 'still being requested from its authority' : row.state,
    needed: 'the state pending_issue and no further attempts at the authority',
  });
