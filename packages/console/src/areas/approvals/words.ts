// What approvals ask for, and whom, in words.
import type { ApprovalDto, ApprovalStepDto } from '@signetry/contract';
import { capitalized, shownName } from '../../format/names.ts';

/** `Revoke shop.example`. */
export const wordsOfRequest = ({ resourceAction, objectName }: ApprovalDto): string =>
  `${capitalized(resourceAction)} ${objectName === undefined ? 'what was deleted since' : shownName(objectName)}`;

type Approvers = Pick<
  ApprovalStepDto,
  'userUuid' | 'username' | 'roleUuid' | 'roleName' | 'groupName' | 'requiredApprovals'
>;

/** In the middle of a sentence: `ann`, `2 people with the role RA officers`. */
export function wordsOfApprover({ userUuid, username, roleUuid, roleName, groupName, ...step }: Approvers): string {
  if (userUuid !== undefined) return username ?? 'a user who was deleted';
  const { requiredApprovals = 1 } = step;
  const who = requiredApprovals === 1 ? 'one person' : `${requiredApprovals} people`;
  return roleUuid === undefined
    ? `${who} of ${groupName === undefined ? 'a group that was deleted' : `the group ${groupName}`}`
    : `${who} with ${roleName === undefined ? 'a role that was deleted' : `the role ${roleName}`}`;
}

/** `step 1 of 2`; undefined for an approval that is closed, and for one of a single step. */
export const wordsOfPlace = ({ awaitedStep, numberOfSteps }: ApprovalDto): string | undefined =>
  awaitedStep === undefined || numberOfSteps < 2 ? undefined : `step ${awaitedStep} of ${numberOfSteps}`;

/** With the days, where they are whole: `720 hours (30 days)`. */
export function wordsOfHours(hours: number): string {
  const words = hours === 1 ? '1 hour' : `${hours.toLocaleString()} hours`;
  return hours % 24 === 0 && hours >= 48 ? `${words} (${(hours / 24).toLocaleString()} days)` : words;
}
