// Form values of an approval profile. Pure.
import type { ApprovalProfileDetailDto, ApprovalStepDto, ApprovalStepRequestDto } from '@signetry/contract';

export type ApproverKind = 'user' | 'group' | 'role';

/** A step as entered in the form. */
export interface EnteredStep {
  /** Stable identity, so that fields keep their state when steps are moved. */
  readonly key: number;
  readonly kind: ApproverKind;
  /** UUID of the user, group or role; null until one is chosen. */
  readonly approver: string | null;
  /** Name at the time when the form was opened. */
  readonly approverName?: string | undefined;
  readonly requiredApprovals: number;
  readonly description: string;
}

export interface ProfileValues {
  readonly name: string;
  readonly description: string;
  /** In hours. */
  readonly expiry: number;
  readonly allowOwnApproval: boolean;
  readonly approvalSteps: readonly EnteredStep[];
}

const firstStep: EnteredStep = { key: 0, kind: 'role', approver: null, requiredApprovals: 1, description: '' };

export const newValues: ProfileValues = {
  name: '',
  description: '',
  expiry: 720,
  allowOwnApproval: false,
  approvalSteps: [firstStep],
};

export const valuesOf = ({ name, expiry, allowOwnApproval, ...profile }: ApprovalProfileDetailDto): ProfileValues => ({
  name,
  description: profile.description ?? '',
  expiry,
  allowOwnApproval,
  approvalSteps: profile.approvalSteps.toSorted((one, other) => one.order - other.order).map(enteredStepOf),
});

const enteredStepOf = (step: ApprovalStepDto, key: number): EnteredStep => ({
  key,
  ...approverOf(step),
  requiredApprovals: step.requiredApprovals ?? 1,
  description: step.description ?? '',
});

function approverOf(step: ApprovalStepDto): Pick<EnteredStep, 'kind' | 'approver' | 'approverName'> {
  if (step.userUuid !== undefined) return { kind: 'user', approver: step.userUuid, approverName: step.username };
  if (step.groupUuid !== undefined) return { kind: 'group', approver: step.groupUuid, approverName: step.groupName };
  return { kind: 'role', approver: step.roleUuid ?? null, approverName: step.roleName };
}

/** Steps are approved in list order. */
export const requestOf = ({ description, expiry, allowOwnApproval, approvalSteps }: ProfileValues) => ({
  description: description.trim(),
  expiry,
  allowOwnApproval,
  approvalSteps: approvalSteps.map(stepRequestOf),
});

function stepRequestOf({ kind, approver, ...step }: EnteredStep, place: number): ApprovalStepRequestDto {
  const uuid = approver ?? '';
  return {
    ...(kind === 'user' ? { userUuid: uuid } : kind === 'group' ? { groupUuid: uuid } : { roleUuid: uuid }),
    order: place + 1,
    // A user can approve only once.
    requiredApprovals: kind === 'user' ? 1 : step.requiredApprovals,
    ...(step.description.trim() === '' ? {} : { description: step.description.trim() }),
  };
}

export const withStep = (steps: readonly EnteredStep[]): readonly EnteredStep[] => [
  ...steps,
  { ...firstStep, key: Math.max(-1, ...steps.map(({ key }) => key)) + 1 },
];

/** Moves a step up (-1) or down (1). Returns the steps unchanged if the step is already at that end. */
export function moveStep(steps: readonly EnteredStep[], place: number, by: -1 | 1): readonly EnteredStep[] {
  const step = steps[place];
  const to = place + by;
  if (!step || to < 0 || to >= steps.length) return steps;
  return steps.toSpliced(place, 1).toSpliced(to, 0, step);
}

/** Returns what is missing before the form can be submitted. */
export function missingOf({ approvalSteps, expiry }: ProfileValues): string | undefined {
  const place = approvalSteps.findIndex(({ approver }) => approver === null);
  if (place >= 0) return `Choose an approver for step ${place + 1}.`;
  return expiry >= 1 ? undefined : 'Enter the time to decide.';
}
