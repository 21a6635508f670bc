// Resumes an operation that another worker, or this one in an earlier attempt, started. The work is rebuilt from its
// stored data.
import { IDEMPOTENCY_FEATURE } from '@signetry/contract';
import { coreContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import {
  findCertificate,
  findCertificateRequest,
  findContent,
  isCompromised,
  withContent,
  type CertificateRow,
} from '../../certificates/index.ts';
import type { OperationRow } from '../tables.ts';
import { compromisedKey } from '../issuance/reserve.ts';
import type { FailureSettler } from '../issuance/settle-failure.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import { findEnrollment } from '../operations/store-enrollments.ts';
import type { IssuingWork, Outcome, RevokingWork } from '../operations/work.ts';

export interface ResumeParts {
  readonly executor: Executor;
  readonly sealer: Sealer;
  readonly raProfiles: Pick<RaProfiles, 'forUpkeep'>;
  readonly issueAttributes: Pick<CallAttributes, 'read'>;
  readonly revokeAttributes: Pick<CallAttributes, 'read'>;
  readonly carryOut: (work: IssuingWork) => Promise<Outcome>;
  readonly carryOutRevocation: (work: RevokingWork) => Promise<Outcome>;
  readonly settle: Pick<FailureSettler, 'fail' | 'leaveUndecided'>;
}

/** Attempt number of an operation that no worker has started yet. */
const FIRST_ATTEMPT = 1;

export async function resume(parts: ResumeParts, operation: OperationRow): Promise<void> {
  const { raProfiles, executor } = parts;
  const profile = await raProfiles.forUpkeep(operation.ra_profile_uuid);
  const row = await findCertificate(executor, operation.certificate_uuid);
  if (!row) return;
  if (operation.kind === 'revoke') {
    await parts.carryOutRevocation(await revokingWork(parts, operation, { profile, row }));
    return;
  }
  const work = await issuingWork(parts, operation, { profile, row, kind: operation.kind });
  if (!work) return;
  if (work.attempts === FIRST_ATTEMPT) await beginApproved(parts, work);
  else await resumeIssuing(parts, work);
}

/** The operation waited for approval, possibly for days, so facts that may have changed are checked again. */
async function beginApproved({ executor, carryOut, settle }: ResumeParts, work: IssuingWork): Promise<void> {
  const { predecessor, request } = work;
  if (await isCompromised(executor, request.public_key_fingerprint))
    await settle.fail(work, { error: compromisedKey() });
  else if (predecessor && predecessor.state !== 'issued')
    await settle.fail(work, {
      error: rejected(`certificate: ${predecessor.common_name || predecessor.uuid} is now ${predecessor.state}`),
    });
  else await carryOut(work);
}

async function resumeIssuing({ carryOut, settle }: ResumeParts, work: IssuingWork): Promise<void> {
  if (work.profile.features.includes(IDEMPOTENCY_FEATURE)) {
    await carryOut(work);
    return;
  }
  // The worker crashed during the call, and this authority does not replay, so the outcome is unknown.
  await settle.leaveUndecided(
    work,
    new AppError('unavailable', { reason: 'the platform stopped during the call to the authority' }),
  );
}

interface StoredOperation {
  readonly profile: IssuingProfile;
  readonly row: CertificateRow;
}

async function revokingWork(
  { executor, revokeAttributes }: ResumeParts,
  operation: OperationRow,
  { profile, row }: StoredOperation,
): Promise<RevokingWork> {
  return {
    ...commonOf(operation, profile),
    reason: operation.payload.reason ?? 'unspecified',
    destroysKey: operation.payload.destroysKey ?? false,
    attributes: await revokeAttributes.read(row.uuid, profile),
    der: await findContent(executor, row),
  };
}

/** Rebuilds the work; returns undefined if the rows that it was requested with no longer exist. */
async function issuingWork(
  { executor, sealer, issueAttributes }: ResumeParts,
  operation: OperationRow,
  { profile, row, kind }: StoredOperation & Pick<IssuingWork, 'kind'>,
): Promise<IssuingWork | undefined> {
  const { predecessor_uuid: predecessorUuid } = operation;
  const request = row.request_uuid === null ? undefined : await findCertificateRequest(executor, row.request_uuid);
  const predecessorRow = predecessorUuid === null ? undefined : await findCertificate(executor, predecessorUuid);
  if (!request || (predecessorUuid !== null && !predecessorRow)) return undefined;
  const attributes = await issueAttributes.read(row.uuid, profile);
  const predecessor = predecessorRow && (await withContent(executor, predecessorRow));
  const enrollment =
    operation.payload.endEntity === undefined ? undefined : await findEnrollment(executor, sealer, row.uuid);
  const requiresAllNames = row.protocol === 'acme';
  return { ...commonOf(operation, profile), kind, request, attributes, predecessor, requiresAllNames, enrollment };
}

const commonOf = (operation: OperationRow, profile: IssuingProfile) => ({
  operationUuid: operation.uuid,
  certificateUuid: operation.certificate_uuid,
  profile,
  requester: { uuid: operation.requester_uuid, name: operation.requester_name },
  attempts: operation.attempts,
  context: coreContext(newUuid()),
});
