// Allows one successor at a time: checks before a request for another successor is generated, and lets a second caller
// obtain the successor that the first one requested.
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import {
  certificateName,
  findCertificate,
  findContent,
  problemOfRequest,
  type CertificateRow,
  type CompliancePort,
  type Issuers,
  type RequestFacts,
} from '../../certificates/index.ts';
import { findInProgress } from '../operations/store-successions.ts';
import { SuccessorInProgress, type SuccessorRequest } from '../operations/succession.ts';
import type { IssueAttempt } from './issue.ts';
import { assertMayIssue } from './issuing-authority.ts';
import { keepsNames } from './succession-names.ts';

export interface SuccessionParts {
  readonly platform: Pick<Platform, 'clock'>;
  readonly executor: Executor;
  readonly issuers: Pick<Issuers, 'pathOf'>;
  readonly compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>;
}

/**
 * Rejects what can be rejected before the request exists, so that no key is generated needlessly: the authority cannot
 * issue, another successor is in progress, or the RA profile's rules reject the certificate's original request, which
 * its successor repeats.
 */
export async function assertMaySucceed(
  { platform, executor, issuers, compliance }: SuccessionParts,
  { row, profile, begunAt }: { readonly row: CertificateRow; readonly profile: IssuingProfile; readonly begunAt: Date },
): Promise<void> {
  await assertMayIssue(issuers, profile, platform.clock.now());
  const wanted = { predecessorUuid: row.uuid, successorUuid: row.uuid, kind: null, begunAt };
  const [other] = await findInProgress(executor, [wanted]);
  if (other) throw new SuccessorInProgress(certificateName(row), other);
  if (row.request_uuid === null) return;
  const facts = { certificateUuid: row.uuid, raProfileUuid: profile.uuid, isRepeated: false };
  const problem = await problemOfRequest(compliance, facts);
  if (problem !== undefined) throw new AppError('certificate_operation', { problem });
}

/** Returns the first caller's attempt if it is for the same key and names; otherwise undefined. */
export async function attemptOf(
  executor: Executor,
  { successorUuid: uuid, state }: SuccessorRequest,
  request: RequestFacts,
): Promise<IssueAttempt | undefined> {
  const row = await findCertificate(executor, uuid);
  if (!row || row.public_key_fingerprint !== request.public_key_fingerprint || !keepsNames(request, [row]))
    return undefined;
  if (row.state === 'failed' || row.state === 'rejected' || row.state === 'revoked') return undefined;
  const outcome =
    row.fingerprint === null ? undefined : ({ status: 'issued', der: await findContent(executor, row) } as const);
  return { uuid, waitsForApproval: state === 'awaiting_approval', outcome };
}
