// Issuance for every caller: REST, protocol servers, the platform itself. Checks and reserves the request, lets the
// authority sign, records the result and responds with the certificate if it is available in time, otherwise with its
// identifier.
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { AwaitApproval } from '../approving/await-approval.ts';
import { approvalNeeded } from '../approving/approval-needed.ts';
import type { CompliancePort, Issuers } from '../../certificates/index.ts';
import type { InFlight } from '../operations/in-flight.ts';
import type { IssuingWork, Outcome } from '../operations/work.ts';
import { check, type CheckedRequest, type CheckParts, type IssueInput } from './check.ts';
import { durabilityOf } from './durability.ts';
import { assertMayIssue } from './issuing-authority.ts';
import { deferredReservation, prepare, reserve, type ReserveParts } from './reserve.ts';
import { hasMore } from './write-reservations.ts';

export interface IssueParts extends CheckParts, ReserveParts {
  readonly platform: Platform;
  readonly issuers: Issuers;
  readonly carryOut: (work: IssuingWork) => Promise<Outcome>;
  readonly inFlight: InFlight;
  readonly awaitApproval: AwaitApproval;
  readonly compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>;
  readonly audit: AuditTrail;
  readonly connectors: Pick<Connectors, 'facts'>;
  /** How long a caller waits for the authority. */
  readonly waitMs: number;
}

/** `der` is present if the certificate was issued in time. */
export interface IssueResponse {
  readonly uuid: string;
  readonly waitsForApproval: boolean;
  readonly der: Uint8Array | undefined;
}

/** `outcome` is undefined while the work is in progress. */
export interface IssueAttempt {
  readonly uuid: string;
  readonly waitsForApproval: boolean;
  readonly outcome: Outcome | undefined;
}

/** Issues a certificate for a request. */
export async function issue(parts: IssueParts, input: IssueInput, context: RequestContext): Promise<IssueAttempt> {
  return performChecked(parts, await check(parts, input, context), context);
}

/** Performs renewals and rekeys. Throws if the request is rejected before anything is stored. */
export async function perform(
  parts: IssueParts,
  checked: CheckedRequest,
  context: RequestContext,
): Promise<IssueAttempt> {
  await assertMayIssue(parts.issuers, checked.profile, parts.platform.clock.now());
  return performChecked(parts, checked, context);
}

/** The steps that issuance, renewal and rekey have in common. */
async function performChecked(
  parts: IssueParts,
  checked: CheckedRequest,
  context: RequestContext,
): Promise<IssueAttempt> {
  const approvalProfileUuid = approvalNeeded(checked.profile, context);
  const prepared = prepare(parts, checked, { context, approvalProfileUuid });
  const { work, item, callerCommitted } = prepared;
  const durability = await durabilityOf(parts, {
    profile: checked.profile,
    waitsForApproval: approvalProfileUuid !== undefined,
    isAskedAgain: callerCommitted !== undefined,
    hasMore: hasMore(item),
  });
  switch (durability) {
    case 'writtenAtOnce':
      return finish(parts, { ...work, committed: callerCommitted, deferred: deferredReservation(parts, prepared) });
    case 'reservedMeanwhile':
      return finish(parts, { ...work, committed: reserve(parts, prepared, durability) });
    case 'reservedFirst':
      await reserve(parts, prepared, durability);
      return approvalProfileUuid === undefined ? finish(parts, work) : waiting(work);
  }
}

export const waiting = ({ certificateUuid: uuid }: Pick<IssuingWork, 'certificateUuid'>): IssueAttempt => ({
  uuid,
  waitsForApproval: true,
  outcome: undefined,
});

/** Carries out reserved work, which continues even if its caller stops waiting. */
export async function finish(parts: IssueParts, work: IssuingWork): Promise<IssueAttempt> {
  const { inFlight, carryOut, waitMs, platform } = parts;
  const outcome = await inFlight.within({ operationUuid: work.operationUuid, waitMs }, () => carryOut(work));
  platform.faultPoint('issue.beforeAnswer');
  return { uuid: work.certificateUuid, waitsForApproval: false, outcome };
}

/** Returns the result for callers that need the certificate; throws if it failed or if its outcome is settled later. */
export function responseFor({ uuid, waitsForApproval, outcome }: IssueAttempt): IssueResponse {
  if (outcome?.status === 'failed' || outcome?.status === 'waiting') throw outcome.error;
  return { uuid, waitsForApproval, der: outcome?.status === 'issued' ? outcome.der : undefined };
}
