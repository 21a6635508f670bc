// Carries out revoking work, for callers and for the reconciler: the intent is committed before. Revoking twice has the
// effect of once, so an unknown outcome is simply asked for again until the authority confirms it.
import { authorityProviderOperations } from '@signetry/contract';
import { isKeyCompromise } from '@signetry/pki';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { Issuers } from '../core/issuers.ts';
import type { Users } from '../core/ports.ts';
import { recordEvent } from '../core/record-event.ts';
import { findOne, markRevoked, replaceReason } from '../core/store.ts';
import type { CertificateRow } from '../core/tables.ts';
import { errorOf, retryDelayMs, withObject } from '../operations/call-failure.ts';
import { certainlyWithoutEffect, verdictOf } from '../operations/call-verdict.ts';
import { askToRevoke } from '../operations/legacy-calls.ts';
import { endOperation, postponeOperation } from '../operations/store.ts';
import { tellOfFailure } from '../operations/tell-failure.ts';
import { AUTHORITY_TIMEOUT_MS, type Outcome, type RevokingWork } from '../operations/work.ts';

export interface CarryOutParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly connectors: Connectors;
  readonly issuers: Issuers;
  /** Whoever signs in with a revoked certificate is to be refused at once. */
  readonly users: Pick<Users, 'forgetCertificates'>;
}

/** Asks the authority and records its answer. */
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
  if (work.profile.legacy) return askToRevoke(connectors, work);
  const client = await connectors.client(work.profile.connectorUuid);
  await client.call(
    authorityProviderOperations.revokeCertificate,
    {
      params: { uuid: work.profile.authorityConnectorUuid },
      body: {
        reason: work.reason,
        attributes: [...work.attributes],
        raProfileAttributes: [...work.profile.raProfileAttributes],
        certificate: Buffer.from(work.der).toString('base64'),
      },
    },
    { idempotencyKey: work.operationUuid, timeoutMs: AUTHORITY_TIMEOUT_MS },
  );
}

async function record({ platform, audit, issuers, users }: CarryOutParts, work: RevokingWork): Promise<void> {
  const { database, clock, events } = platform;
  const { certificateUuid, context, profile, reason } = work;
  const at = clock.now();
  await database.transaction(async (tx) => {
    if (!(await endOperation(tx, work.operationUuid, { state: 'done', problem: null, at }))) return;
    const before = await findOne(tx, certificateUuid);
    const revoked = await markRevoked(tx, certificateUuid, { reason, at });
    const replaced =
      !revoked && isKeyCompromise(reason) ? await replaceReason(tx, certificateUuid, { reason, at }) : undefined;
    const row = revoked ?? replaced;
    const occasion = { audit, context, at, by: work.requester.name };
    await recordEvent(tx, occasion, {
      operation: 'revoke',
      history: [
        {
          certificate_uuid: certificateUuid,
          event: 'Revoke Certificate',
          status: 'SUCCESS',
          message: replaced ? `Revoked before, the reason is now ${reason}` : `Revoked, reason ${reason}`,
          additional: { reason },
        },
      ],
      objects: [{ uuid: certificateUuid, name: row?.common_name ?? '' }],
      affiliated: { resource: 'raProfiles', objects: [{ uuid: profile.uuid, name: profile.name }] },
      data: { reason },
    });
    const statusBefore = revoked && before?.validation_status;
    await appendEvents(tx, platform, { work, row, statusBefore });
  });
  events.wake();
  issuers.forget();
  users.forgetCertificates();
}

async function appendEvents(
  tx: Executor,
  { events }: Platform,
  { work, row, statusBefore: from }: {
    readonly work: RevokingWork;
    readonly row: CertificateRow | undefined;
    /** Unless it was revoked before. */
    readonly statusBefore: CertificateRow['validation_status'] | undefined;
  }, // prettier-ignore
): Promise<void> {
  const { certificateUuid, profile, requester } = work;
  const performed = { certificateUuid, action: 'revoke', requesterUuid: requester.uuid } as const;
  await events.append(tx, 'certificate_action_performed', performed);
  await events.append(tx, 'certificate_revoked', {
    certificateUuid,
    raProfileUuid: profile.uuid,
    issuerCertificateUuid: row?.issuer_certificate_uuid ?? null,
  });
  if (from !== undefined && from !== 'revoked')
    await events.append(tx, 'certificate_status_changed', { certificateUuid, from, to: 'revoked' });
  if (row && work.destroysKey)
    await events.append(tx, 'certificate_key_unwanted', { certificateUuid, requestedBy: work.requester.name });
  // Its status changed with its state, without a validation that would tell of it.
  if (row && row.trusted_ca !== null) await events.append(tx, 'authority_standing_changed', { certificateUuid });
}

/** Refused for good, or to be asked again. */
async function settleError({ platform, audit }: CarryOutParts, work: RevokingWork, cause: unknown): Promise<Outcome> {
  const { database, clock, events, metrics, giveUp } = platform;
  const { certificateUuid, context, reason } = work;
  const error = withObject(errorOf(cause), certificateUuid);
  const verdict = verdictOf(cause);
  // A call that a stop aborted says nothing about the authority: it is repeated after the next start.
  const refused = giveUp.aborted ? verdict === 'refused' : certainlyWithoutEffect(verdict, work.attempts);
  const at = clock.now();
  await database.transaction(async (tx) => {
    const changed = refused
      ? await endOperation(tx, work.operationUuid, { state: 'failed', problem: error.message, at })
      : await postponeOperation(tx, work.operationUuid, {
          state: 'pending',
          leasedUntil: new Date(at.getTime() + retryDelayMs(work.attempts)),
          problem: error.message,
        });
    // One entry when it starts to wait, not one for every further attempt.
    if (!changed || (!refused && work.attempts > 1)) return;
    const message = refused ? error.message : `Not confirmed yet, will be tried again: ${error.message}`;
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
    await tellOfFailure(tx, events, { ...ended, problem: error.message });
  });
  events.wake();
  metrics.certificateOperations.inc({ kind: 'revoke', outcome: refused ? 'failed' : 'waiting' });
  return { status: refused ? 'failed' : 'waiting', error };
}
