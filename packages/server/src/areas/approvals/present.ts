// Presents approval profiles and approvals in the API format.
import type {
  ApprovalDetailDto,
  ApprovalDetailStepDto,
  ApprovalDto,
  ApprovalProfileDetailDto,
  ApprovalProfileDto,
  ApprovalStepDto,
  ApprovalStepRecipientDto,
} from '@signetry/contract';
import type { Names } from './approvers.ts';
import type { ApprovalEvent } from './events.ts';
import type { ApprovalRow } from './store.ts';
import type { ListedVersion } from './store-profiles.ts';
import type { RecipientRow, StepRow } from './tables.ts';

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined;

export const presentProfile = (shown: ListedVersion, associations: number): ApprovalProfileDto => ({
  uuid: shown.uuid,
  name: shown.name,
  version: shown.version,
  description: orUndefined(shown.description),
  expiry: shown.expiry_hours,
  numberOfSteps: shown.steps,
  associations,
  allowOwnApproval: shown.allow_own_approval,
});

export const presentProfileDetail = (
  shown: ListedVersion,
  facts: {
    readonly usedBy: ApprovalProfileDetailDto['usedBy'];
    readonly steps: readonly StepRow[];
    readonly names: Names;
  },
): ApprovalProfileDetailDto => ({
  ...presentProfile(shown, facts.usedBy.length),
  approvalSteps: facts.steps.map((step) => presentStep(step, facts.names)),
  usedBy: facts.usedBy,
});

const presentStep = (step: StepRow, names: Names): ApprovalStepDto => ({
  uuid: step.uuid,
  order: step.step_order,
  description: orUndefined(step.description),
  requiredApprovals: step.required_approvals,
  ...(step.user_uuid === null ? {} : { userUuid: step.user_uuid, username: names.users.get(step.user_uuid) }),
  ...(step.role_uuid === null ? {} : { roleUuid: step.role_uuid, roleName: names.roles.get(step.role_uuid) }),
  ...(step.group_uuid === null ? {} : { groupUuid: step.group_uuid, groupName: names.groups.get(step.group_uuid) }),
});

export const presentApproval = (row: ApprovalRow, objectName: string | undefined): ApprovalDto => ({
  approvalUuid: row.uuid,
  creatorUuid: row.creator_uuid,
  creatorUsername: row.creator_username,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  expiryAt: row.expiry_at.toISOString(),
  closedAt: row.closed_at?.toISOString(),
  status: row.status,
  resource: row.resource,
  resourceAction: row.action,
  objectUuid: row.object_uuid,
  objectName,
  numberOfSteps: row.number_of_steps,
  awaitedStep: row.awaited_step || undefined,
  approvalProfileName: row.profile_name,
  approvalProfileUuid: row.profile_uuid,
});

export const presentApprovalDetail = (
  row: ApprovalRow,
  facts: {
    readonly objectName: string | undefined;
    readonly steps: readonly StepRow[];
    readonly recipients: readonly RecipientRow[];
    readonly names: Names;
    readonly awaitsCaller: boolean;
    readonly overridableByCaller: boolean;
  },
): ApprovalDetailDto => ({
  ...presentApproval(row, facts.objectName),
  expiry: row.expiry_hours,
  description: orUndefined(row.description),
  approvalSteps: facts.steps.map((step): ApprovalDetailStepDto => ({
    ...presentStep(step, facts.names),
    approvalStepRecipients: facts.recipients.filter(({ step_uuid }) => step_uuid === step.uuid).map(presentRecipient),
  })),
  awaitsCaller: facts.awaitsCaller,
  overridableByCaller: facts.overridableByCaller,
});

const presentRecipient = (row: RecipientRow): ApprovalStepRecipientDto => ({
  approvalRecipientUuid: row.uuid,
  userUuid: orUndefined(row.user_uuid),
  username: orUndefined(row.username),
  createdAt: row.created_at.toISOString(),
  closedAt: row.closed_at?.toISOString(),
  status: row.status,
  comment: orUndefined(row.comment),
});

export const presentEvent = (row: ApprovalRow, objectName: string | undefined): ApprovalEvent => ({
  approvalUuid: row.uuid,
  approvalProfileUuid: row.profile_uuid,
  approvalProfileName: row.profile_name,
  version: row.version,
  status: row.status,
  expiryAt: row.expiry_at.toISOString(),
  ...(row.closed_at ? { closedAt: row.closed_at.toISOString() } : {}),
  resource: row.resource,
  resourceAction: row.action,
  objectUuid: row.object_uuid,
  ...(objectName === undefined ? {} : { objectName }),
  creatorUuid: row.creator_uuid,
  creatorUsername: row.creator_username,
});
