// Approval profiles: who must approve an operation, and in what order, before it is carried out.
import { z } from 'zod';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { description, int32, objectName, uuid } from '../primitives.ts';
import { UuidDto } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';
import { Resource } from './resource.ts';
import { sightOf } from './referenced-objects.ts';

/** Exactly one of user, role and group is present. */
const stepFacts = {
  userUuid: uuid().optional(),
  roleUuid: uuid().optional(),
  groupUuid: uuid().optional(),
  description: description().optional(),
  /** Steps are approved one after another, in ascending order. */
  order: int32(),
};

export const ApprovalStepRequestDto = z
  .object({
    ...stepFacts,
    /** Number of users who must approve the step. Default: 1. */
    requiredApprovals: int32().optional(),
  })
  .meta({ id: 'ApprovalStepRequestDto' });
export type ApprovalStepRequestDto = z.output<typeof ApprovalStepRequestDto>;

/** Names are absent if the user, role or group has been deleted. */
export const stepResponseFields = {
  ...stepFacts,
  uuid: uuid(),
  requiredApprovals: int32().optional(),
  username: z.string().optional(),
  roleName: z.string().optional(),
  groupName: z.string().optional(),
};

export const ApprovalStepDto = z.object(stepResponseFields).meta({ id: 'ApprovalStepDto' });
export type ApprovalStepDto = z.output<typeof ApprovalStepDto>;

const listed = {
  uuid: z.string(),
  name: z.string(),
  /** The latest or the requested version. */
  version: int32(),
  description: z.string().optional(),
  /** Number of hours within which an approval must be decided. */
  expiry: int32(),
  numberOfSteps: int32(),
  /** Number of RA profiles with which the profile is associated. */
  associations: int32(),
  /** Whether users can approve operations that they requested themselves. Not part of the published interface. */
  allowOwnApproval: z.boolean(),
};

export const ApprovalProfileDto = z.object(listed).meta({ id: 'ApprovalProfileDto' });
export type ApprovalProfileDto = z.output<typeof ApprovalProfileDto>;

export const ApprovalProfileDetailDto = z
  .object({
    ...listed,
    approvalSteps: z.array(ApprovalStepDto),
    /** Objects with which the profile is associated. Not part of the published interface. */
    usedBy: z.array(z.object({ resource: Resource, uuid: z.string(), name: z.string() })),
  })
  .meta({ id: 'ApprovalProfileDetailDto' });
export type ApprovalProfileDetailDto = z.output<typeof ApprovalProfileDetailDto>;

export const ApprovalProfileResponseDto = z
  .object({ ...pageTotals, approvalProfiles: z.array(ApprovalProfileDto) })
  .meta({ id: 'ApprovalProfileResponseDto' });
export type ApprovalProfileResponseDto = z.output<typeof ApprovalProfileResponseDto>;

/** Members that creation and edit requests have in common. */
const requested = {
  description: description().optional(),
  /**
   * Number of hours; must be greater than 0. If absent, an edit keeps the current value, and a new profile uses 720.
   */
  expiry: int32().optional(),
  approvalSteps: z.array(ApprovalStepRequestDto),
  /** Not part of the published interface. If absent, an edit keeps the current value, and a new profile uses false. */
  allowOwnApproval: z.boolean().optional(),
};

export const ApprovalProfileRequestDto = z
  .object({
    name: objectName(),
    ...requested,
    /** Has no effect: a profile applies to the RA profiles with which it is associated. */
    enabled: z.boolean(),
  })
  .meta({ id: 'ApprovalProfileRequestDto' });
export type ApprovalProfileRequestDto = z.output<typeof ApprovalProfileRequestDto>;

/** The name cannot be changed. */
export const ApprovalProfileUpdateRequestDto = z.object(requested).meta({ id: 'ApprovalProfileUpdateRequestDto' });
export type ApprovalProfileUpdateRequestDto = z.output<typeof ApprovalProfileUpdateRequestDto>;

const sightOfApprovers = [
  sightOf('users', 'approvalSteps.userUuid'),
  sightOf('roles', 'approvalSteps.roleUuid'),
  sightOf('groups', 'approvalSteps.groupUuid'),
];

export const approvalProfileOperations = operations(
  { tag: 'Approval profile Inventory', resource: 'approvalProfiles', module: 'approvals', errors: ruleErrors },
  {
    listApprovalProfiles: {
      route: 'GET /v1/approvalProfiles',
      summary: 'List Approval Profiles',
      query: z.object(pageQuery),
      answer: ApprovalProfileResponseDto,
      errors: plainErrors,
      access: { action: 'list' },
    },
    createApprovalProfile: {
      route: 'POST /v1/approvalProfiles',
      summary: 'Create a Approval profile',
      body: ApprovalProfileRequestDto,
      answer: UuidDto,
      access: { action: 'create' },
      also: sightOfApprovers,
      audit: 'create',
    },
    getApprovalProfile: {
      route: 'GET /v1/approvalProfiles/{uuid}',
      summary: 'Get Approval Profile Details',
      query: z.object({ version: queryInt32().optional() }),
      answer: ApprovalProfileDetailDto,
      errors: objectErrors,
      access: { action: 'detail', object: 'uuid' },
    },
    /** Pending approvals keep the profile version under which they were requested. */
    editApprovalProfile: {
      route: 'PUT /v1/approvalProfiles/{uuid}',
      summary: 'Edit an Approval profile',
      body: ApprovalProfileUpdateRequestDto,
      answer: UuidDto,
      access: { action: 'update', object: 'uuid' },
      also: sightOfApprovers,
      audit: 'update',
    },
    deleteApprovalProfile: {
      route: 'DELETE /v1/approvalProfiles/{uuid}',
      summary: 'Delete an approval profile',
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
  },
);
