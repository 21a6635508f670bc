// Rules for approval steps, without I/O: which steps are valid, which step is next, and who its approvers are.
import type { ApprovalStatusEnum, ApprovalStepRequestDto } from '@signetry/contract';
import type { StepRow } from './tables.ts';

/** Default time until an approval expires. An undecided approval must not stay open forever. */
export const DEFAULT_EXPIRY_HOURS = 720;
const MAX_EXPIRY_HOURS = 100_000;
const MAX_STEPS = 50;
const MAX_REQUIRED_APPROVALS = 100;
const HOUR_MS = 3_600_000;

/** A step's approver. */
export type Approver = { readonly type: 'user' | 'role' | 'group'; readonly uuid: string };

/** A user, with their roles and groups. */
export interface Identity {
  readonly userUuid: string;
  readonly roleUuids: readonly string[];
  readonly groupUuids: readonly string[];
}

type NamedApprover = Pick<StepRow, 'user_uuid' | 'role_uuid' | 'group_uuid'>;

export function approverOf({ user_uuid, role_uuid, group_uuid }: NamedApprover): Approver {
  if (user_uuid !== null) return { type: 'user', uuid: user_uuid };
  if (role_uuid !== null) return { type: 'role', uuid: role_uuid };
  if (group_uuid !== null) return { type: 'group', uuid: group_uuid };
  throw new Error('A step must specify a user, role or group.');
}

/** Returns whether a step asks this user to decide. */
export function isApprover(step: NamedApprover, { userUuid, roleUuids, groupUuids }: Identity): boolean {
  const { type, uuid } = approverOf(step);
  if (type === 'user') return uuid === userUuid;
  return (type === 'role' ? roleUuids : groupUuids).includes(uuid);
}

/** Returns the lowest-numbered step that lacks approvals; undefined if all steps are approved. */
export function nextStep<Step extends Pick<StepRow, 'uuid' | 'step_order' | 'required_approvals'>>(
  steps: readonly Step[],
  decisions: readonly { readonly step_uuid: string; readonly status: ApprovalStatusEnum }[],
): Step | undefined {
  const approvalsOf = ({ uuid }: Step): number =>
    decisions.filter(({ step_uuid, status }) => step_uuid === uuid && status === 'APPROVED').length;
  return steps
    .toSorted((a, b) => a.step_order - b.step_order)
    .find((step) => approvalsOf(step) < step.required_approvals);
}

export const expiryOf = (createdAt: Date, hours: number): Date => new Date(createdAt.getTime() + hours * HOUR_MS);

/** Returns why an expiry is rejected. */
export const problemsOfExpiry = (hours: number): string[] =>
  hours >= 1 && hours <= MAX_EXPIRY_HOURS ? [] : [`expiry: must be between 1 and ${MAX_EXPIRY_HOURS} hours`];

/** Returns why steps are rejected. */
export function problemsOfSteps(steps: readonly ApprovalStepRequestDto[]): string[] {
  if (steps.length === 0) return ['approvalSteps: at least one step is required'];
  if (steps.length > MAX_STEPS) return [`approvalSteps: must not have more than ${MAX_STEPS} steps`];
  const orders = steps.map(({ order }) => order);
  const twice = new Set(orders.filter((order, index) => orders.indexOf(order) !== index));
  return [
    ...[...twice].map((order) => `approvalSteps: multiple steps have the order ${order}`),
    ...steps.flatMap(problemsOfStep),
  ];
}

function problemsOfStep(step: ApprovalStepRequestDto): string[] {
  const { order, userUuid, requiredApprovals = 1 } = step;
  const named = [userUuid, step.roleUuid, step.groupUuid].filter((uuid) => uuid !== undefined);
  const problems: string[] = [];
  if (named.length !== 1) problems.push(`step ${order}: specify exactly one of userUuid, roleUuid and groupUuid`);
  if (requiredApprovals < 1 || requiredApprovals > MAX_REQUIRED_APPROVALS)
    problems.push(`step ${order}: requiredApprovals must be between 1 and ${MAX_REQUIRED_APPROVALS}`);
  else if (userUuid !== undefined && requiredApprovals > 1)
    problems.push(`step ${order}: one user can approve only once; specify a role or a group for multiple approvals`);
  return problems;
}
