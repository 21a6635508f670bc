// Revoking: intent, authority, record. Revoking twice has the effect of once, so an unknown outcome is simply asked for
// again until the authority confirms it.
import { authorityProviderOperations, type ClientCertificateRevocationDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError, notFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { InFlight } from '../operations/in-flight.ts';
import { certainlyWithoutEffect, verdictOf } from '../operations/call-verdict.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { requesterOf, type CertificateIssuer } from '../issuing/issue.ts';
import type { Issuers } from '../core/issuers.ts';
import type { Users } from '../core/ports.ts';
import { assertIssuedUnder } from '../issuing/renew.ts';
import { retryDelayMs, withObject } from '../issuing/settle-failure.ts';
import * as store from '../core/store.ts';
import { endOperation, insertRevokeOperation, postponeOperation } from '../operations/store.ts';
import { insertHistory } from '../core/store-history.ts';
import { AUTHORITY_TIMEOUT_MS, LEASE_MS, type Outcome, type RevokingWork } from '../operations/work.ts';

export interface RevokerOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly issuer: CertificateIssuer;
  readonly issuers: Issuers;
  /** Whoever signs in with a revoked certificate is to be refused at once. */
  readonly users: Pick<Users, 'forgetCertificates'>;
  readonly revokeAttributes: CallAttributes;
  readonly inFlight: InFlight;
  readonly waitMs: number;
}

export interface RevokeInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly certificateUuid: string;
  readonly revocation: ClientCertificateRevocationDto;
}

export type CertificateRevoker = ReturnType<typeof createCertificateRevoker>;

export function createCertificateRevoker(options: RevokerOptions) {
  const { platform, audit, connectors, issuer, issuers, users, revokeAttributes, inFlight, waitMs } = options;
  const { database, clock, events, metrics, giveUp, faultPoint } = platform;

  async function revoke(input: RevokeInput, context: RequestContext): Promise<void> {
    const profile = await issuer.usableProfile(input.authorityUuid, input.raProfileUuid);
    const row = await store.findOne(database.executor, input.certificateUuid);
    if (!row) throw notFound('Certificate', input.certificateUuid);
    assertIssuedUnder(row, profile.uuid);
    const attributes = await revokeAttributes.validate(profile, input.revocation.attributes);
    const requester = requesterOf(context);
    const operationUuid = newUuid();
    const { reason } = input.revocation;
    const now = clock.now();
    faultPoint('revoke.beforeIntent');
    const operation = {
      uuid: operationUuid,
      certificate_uuid: row.uuid,
      ra_profile_uuid: profile.uuid,
      requester_uuid: requester.uuid,
      requester_name: requester.name,
      payload: { reason },
      leased_by: platform.nodeId,
      leased_until: new Date(now.getTime() + LEASE_MS),
      created_at: now,
    };
    const inserted = await database.transaction(async (tx) => {
      if (!(await insertRevokeOperation(tx, operation))) return false;
      await options.attributes.replaceValues(tx, revokeAttributes.valueSet(row.uuid, profile, attributes));
      return true;
    });
    if (!inserted) {
      throw new AppError('invalid_state', {
        what: 'Certificate',
        name: row.common_name || row.uuid,
        state: 'being revoked or renewed already',
        needed: 'no operation under way',
      });
    }
    const work = {
      operationUuid,
      certificateUuid: row.uuid,
      profile,
      der: await store.contentOf(database.executor, row),
      reason,
      attributes,
      requester,
      attempts: 1,
      context,
    };
    const outcome = await inFlight.within({ operationUuid, waitMs }, () => carryOut(work));
    faultPoint('revoke.beforeAnswer');
    if (outcome?.status === 'failed' || outcome?.status === 'waiting') throw outcome.error;
    if (!outcome) {
      throw new AppError(
        'unavailable',
        {
          reason:
            'the authority has not confirmed the revocation yet; it goes on in the background, see the history of the certificate',
        },
        { objectUuid: row.uuid },
      );
    }
  }

  /** Asks the authority and records its answer; also what the reconciler calls. */
  async function carryOut(work: RevokingWork): Promise<Outcome> {
    faultPoint('revoke.afterIntent');
    try {
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
    } catch (error) {
      return afterError(work, error);
    }
    faultPoint('revoke.afterEffect');
    await record(work);
    faultPoint('revoke.afterRecord');
    metrics.certificateOperations.inc({ kind: 'revoke', outcome: 'revoked' });
    return { status: 'revoked' };
  }

  async function record(work: RevokingWork): Promise<void> {
    const at = clock.now();
    await database.transaction(async (tx) => {
      if (!(await endOperation(tx, work.operationUuid, { state: 'done', problem: null, at }))) return;
      const row = await store.markRevoked(tx, work.certificateUuid, { reason: work.reason, at });
      await insertHistory(tx, {
        uuid: newUuid(),
        certificate_uuid: work.certificateUuid,
        event: 'Revoke Certificate',
        status: 'SUCCESS',
        message: `Revoked, reason ${work.reason}`,
        additional: { reason: work.reason },
        created_at: at,
        created_by: work.requester.name,
      });
      await audit.append(tx, work.context, {
        facts: { module: 'certificates', resource: 'certificates', operation: 'revoke' },
        objects: [{ uuid: work.certificateUuid, name: row?.common_name ?? '' }],
        affiliated: { resource: 'raProfiles', objects: [{ uuid: work.profile.uuid, name: work.profile.name }] },
        data: { reason: work.reason },
      });
      await events.append(tx, 'certificate_revoked', {
        certificateUuid: work.certificateUuid,
        raProfileUuid: work.profile.uuid,
        issuerCertificateUuid: row?.issuer_certificate_uuid ?? null,
      });
      // Its status changed with its state, without a validation that would tell of it.
      if (row && row.trusted_ca !== null)
        await events.append(tx, 'authority_standing_changed', { certificateUuid: work.certificateUuid });
    });
    events.wake();
    issuers.forget();
    users.forgetCertificates();
  }

  async function afterError(work: RevokingWork, cause: unknown): Promise<Outcome> {
    const plain = isAppError(cause)
      ? cause
      : new AppError('unavailable', { reason: 'an internal error interrupted the work' }, { cause });
    const error = withObject(plain, work.certificateUuid);
    const verdict = verdictOf(cause);
    // A call that a stop gave up says nothing about the authority: the next life asks it.
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
      await insertHistory(tx, {
        uuid: newUuid(),
        certificate_uuid: work.certificateUuid,
        event: 'Revoke Certificate',
        status: 'FAILED',
        message: refused ? error.message : `Not confirmed yet, will be tried again: ${error.message}`,
        additional: { reason: work.reason },
        created_at: at,
        created_by: work.requester.name,
      });
      await audit.append(tx, work.context, {
        facts: { module: 'certificates', resource: 'certificates', operation: 'revoke' },
        objects: [{ uuid: work.certificateUuid }],
        result: 'failure',
        message: error.message,
      });
    });
    metrics.certificateOperations.inc({ kind: 'revoke', outcome: refused ? 'failed' : 'waiting' });
    return { status: refused ? 'failed' : 'waiting', error };
  }

  return { revoke, carryOut };
}
