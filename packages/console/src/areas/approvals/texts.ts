// Text for approval requests and their approvers.
import type { ApprovalDto, ApprovalStepDto } from '@signetry/contract';
import { capitalize, shownName } from '../../format/names.ts';

/** Formats `Revoke shop.example`. */
export const describeRequest = ({ resourceAction, objectName }: ApprovalDto): string =>
  `${capitalize(resourceAction)} ${objectName === undefined ? 'a deleted object' : shownName(objectName)}`;

type Approvers = Pick<
  ApprovalStepDto,
  'userUuid' | 'username' | 'roleUuid' | 'roleName' | 'groupName' | 'requiredApprovals'
>;

/** Formats `ann` or `2 users with the role RA officers`, for use within a sentence. */
export function describeApprover({ userUuid, username, roleUuid, roleName, groupName, ...step }: Approvers): string {
  if (userUuid !== undefined) return username ?? 'a deleted user';
  const { requiredApprovals = 1 } = step;
  const who = requiredApprovals === 1 ? 'one user' : `${requiredApprovals} users`;
  return roleUuid === undefined
    ? `${who} of ${groupName === undefined ? 'a deleted group' : `the group ${groupName}`}`
    : `${who} with ${roleName === undefined ? 'a deleted role' : `the role ${roleName}`}`;
}

/** Returns `step 1 of 2`; undefined for closed and single-step approvals. */
export const describeProgress = ({ awaitedStep, numberOfSteps }: ApprovalDto): string | undefined =>
  awaitedStep === undefined || numberOfSteps < 2 ? undefined : `step ${awaitedStep} of ${numberOfSteps}`;

/** Formats `720 hours (30 days)`; the days are added only if they are whole. */
export function formatHours(hours: number): string {
  const words = hours === 1 ? '1 hour' : `${hours.toLocaleString()} hours`;
  return hours % 24 === 0 && hours >= 48 ? `${words} (${(hours / 24).toLocaleString()} days)` : words;
}
