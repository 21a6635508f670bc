// Carries out revocations and releases from hold, for callers and for the reconciler. The intent is committed first.
// Revoking is idempotent, so if the outcome is unknown, the request is repeated until the authority confirms it.
import { authorityProviderOperations } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import {
  findCertificate,
  markReleased,
  markRevoked,
  recordEvent,
  replaceRevocationReason,
  type CertificateRow,
  type Issuers,
  type Users,
} from '../../certificates/index.ts';
import { scheduleValidation } from '../../validation/index.ts';
import { errorOf, retryDelayMs, withObject } from '../operations/call-failure.ts';
import { hadNoEffect, verdictOf } from '../operations/call-verdict.ts';
import { requestRevocation } from '../operations/legacy-calls.ts';
import { endOperation, postponeOperation } from '../operations/store.ts';
import { reportFailure } from '../operations/report-failure.ts';
import { AUTHORITY_TIMEOUT_MS, type Outcome, type RevokingWork } from '../operations/work.ts';

export interface CarryOutParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly connectors: Connectors;
  readonly issuers: Issuers;
  /** Used to immediately reject sign-ins with a revoked certificate. */
  readonly users: Pick<Users, 'forgetCertificates'>;
}

/** Calls the authority and records its response. */
export async function carryOut(parts: CarryOutParts, work: RevokingWork): Promise<Outcome> {
  const { faultPoint, metrics } = parts.platform;
  faultPoint('revoke.afterIntent');
  try {
    await ask(parts, work);
  } catch (error) {
    return settleError(parts, work, error);
  }
  faultPoint('revoke.afterEffect');
  await record(parts, work);
  faultPoint('revoke.afterRecord');
  metrics.certificateOperations.inc({ kind: 'revoke', outcome: 'revoked' });
  return { status: 'revoked' };
}

async function ask({ connectors }: CarryOutParts, work: RevokingWork): Promise<void> {
  if (work.profile.legacy) return requestRevocation(connectors, work);
  const client = await connectors.client(work.profile.connectorUuid);
  const params = { uuid: work.profile.authorityConnectorUuid };
  const raProfileAttributes = [...work.profile.raProfileAttributes];
  const certificate = Buffer.from(work.der).toString('base64');
  const options = { idempotencyKey: work.operationUuid, timeoutMs: AUTHORITY_TIMEOUT_MS };
  if (work.reason === 'removeFromCRL') {
    const body = { raProfileAttributes, certificate };
    return client.call(authorityProviderOperations.releaseCertificate, { params, body }, options);
  }
  const body = { reason: work.reason, attributes: [...work.attributes], raProfileAttributes, certificate };
  await client.call(authorityProviderOperations.revokeCertificate, { params, body }, options);
}

async function record({ platform, audit, issuers, users }: CarryOutParts, work: RevokingWork): Promise<void> {
  const { database, clock, events } = platform;
  const { certificateUuid, context, profile, reason } = work;
  const at = clock.now();
  await database.transaction(async (tx) => {
    if (!(await endOperation(tx, work.operationUuid, { state: 'done', problem: null, at }))) return;
    const before = await findCertificate(tx, certificateUuid);
    const { row, isNew, message } = await change(tx, work, at);
    const occasion = { audit, context, at, by: work.requester.name };
    await recordEvent(tx, occasion, {
      operation: 'revoke',
      history: [{ certificate_uuid: certificateUuid, ...EVENT, status: 'SUCCESS', message, additional: { reason } }],
      objects: [{ uuid: certificateUuid, name: row?.common_name ?? '' }],
      affiliated: { resource: 'raProfiles', objects: [{ uuid: profile.uuid, name: profile.name }] },
      data: { reason },
    });
    await appendEvents(tx, platform, { work, row, statusBefore: isNew ? before?.validation_status : undefined });
  });
  events.wake();
  issuers.forget();
  users.forgetCertificates();
}

const EVENT = { event: 'Revoke Certificate' } as const;

interface Change {
  readonly row: CertificateRow | undefined;
  /** Whether the state changed: the certificate was not revoked before, or is no longer revoked. */
  readonly isNew: boolean;
  readonly message: string;
}

async function change(tx: Executor, { certificateUuid, reason }: RevokingWork, at: Date): Promise<Change> {
  if (reason === 'removeFromCRL') {
    const row = await markReleased(tx, certificateUuid, at);
    if (row) await scheduleValidation(tx, certificateUuid, at);
    return { row, isNew: row !== undefined, message: 'Released from hold' };
  }
  const revoked = await markRevoked(tx, certificateUuid, { reason, at });
  if (revoked) return { row: revoked, isNew: true, message: `Revoked, reason ${reason}` };
  const replaced = await replaceRevocationReason(tx, certificateUuid, { reason, at });
  const message = replaced ? `Already revoked, the reason is now ${reason}` : `Revoked, reason ${reason}`;
  return { row: replaced, isNew: false, message };
}

async function appendEvents(
  tx: Executor,
  { events }: Platform,
  { work, row, statusBefore: from }: {
    readonly work: RevokingWork;
    readonly row: CertificateRow | undefined;
    /** Undefined if it was already revoked. */
    readonly statusBefore: CertificateRow['validation_status'] | undefined;
  }, // prettier-ignore
): Promise<void> {
  const { certificateUuid, profile, requester } = work;
  const performed = { certificateUuid, action: 'revoke', requesterUuid: requester.uuid } as const;
  // The interface has no action for a release, so the status change event reports it.
  if (work.reason !== 'removeFromCRL') await events.append(tx, 'certificate_action_performed', performed);
  await events.append(tx, 'certificate_revoked', {
    certificateUuid,
    raProfileUuid: profile.uuid,
    issuerCertificateUuid: row?.issuer_certificate_uuid ?? null,
  });
  const to = row?.validation_status ?? 'revoked';
  if (from !== undefined && from !== to)
    await events.append(tx, 'certificate_status_changed', { certificateUuid, from, to, requesterUuid: requester.uuid });
  if (row && work.destroysKey)
    await events.append(tx, 'certificate_key_unwanted', { certificateUuid, requestedBy: work.requester.name });
  // The status changed along with the state, without a validation that would report the change.
  if (row && row.trusted_ca !== null) await events.append(tx, 'authority_standing_changed', { certificateUuid });
}

/** Settles an error: the operation is either rejected permanently or retried. */
async function settleError({ platform, audit }: CarryOutParts, work: RevokingWork, cause: unknown): Promise<Outcome> {
  const { database, clock, events, metrics, giveUp } = platform;
  const { certificateUuid, context, reason } = work;
  const error = withObject(errorOf(cause), certificateUuid);
  const verdict = verdictOf(cause);
  // A call aborted by a shutdown says nothing about the authority; it is repeated after the next start.
  const refused = giveUp.aborted ? verdict === 'refused' : hadNoEffect(verdict, work.attempts);
  const at = clock.now();
  await database.transaction(async (tx) => {
    const changed = refused
      ? await endOperation(tx, work.operationUuid, { state: 'failed', problem: error.message, at })
      : await postponeOperation(tx, work.operationUuid, {
          state: 'pending',
          leasedUntil: new Date(at.getTime() + retryDelayMs(work.attempts)),
          problem: error.message,
        });
    // Write a single entry when the operation starts to wait, not one for each further attempt.
    if (!changed || (!refused && work.attempts > 1)) return;
    const message = refused ? error.message : `Not confirmed yet, will be retried: ${error.message}`;
    const entry = { event: 'Revoke Certificate', status: 'FAILED', message, additional: { reason } } as const;
    const occasion = { audit, context, at, by: work.requester.name };
    await recordEvent(tx, occasion, {
      operation: 'revoke',
      history: [{ certificate_uuid: certificateUuid, ...entry }],
      objects: [{ uuid: certificateUuid }],
      result: 'failure',
      message: error.message,
    });
    if (!refused) return;
    const ended = { certificateUuid, action: 'revoke', requesterUuid: work.requester.uuid } as const;
    await reportFailure(tx, events, { ...ended, problem: error.message });
  });
  events.wake();
  metrics.certificateOperations.inc({ kind: 'revoke', outcome: refused ? 'failed' : 'waiting' });
  return { status: refused ? 'failed' : 'waiting', error };
}
