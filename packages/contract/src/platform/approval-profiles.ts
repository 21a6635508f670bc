// Approval profiles: who must agree, in which order, before an operation is carried out.
import { z } from 'zod';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { description, int32, objectName, uuid } from '../primitives.ts';
import { UuidDto } from '../shared/objects.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryInt32 } from '../shared/query.ts';
import { Resource } from './resource.ts';
import { sightOf } from './second-objects.ts';

/** Exactly one of user, role and group is given. */
const stepFacts = {
  userUuid: uuid().optional(),
  roleUuid: uuid().optional(),
  groupUuid: uuid().optional(),
  description: description().optional(),
  /** Steps are approved one after the other, the lowest order first. */
  order: int32(),
};

export const ApprovalStepRequestDto = z
  .object({
    ...stepFacts,
    /** How many people must approve the step; absent: one. */
    requiredApprovals: int32().optional(),
  })
  .meta({ id: 'ApprovalStepRequestDto' });
export type ApprovalStepRequestDto = z.output<typeof ApprovalStepRequestDto>;

/** Names are absent when the user, role or group has been deleted since. */
export const stepInAnswers = {
  ...stepFacts,
  uuid: uuid(),
  requiredApprovals: int32().optional(),
  username: z.string().optional(),
  roleName: z.string().optional(),
  groupName: z.string().optional(),
};

export const ApprovalStepDto = z.object(stepInAnswers).meta({ id: 'ApprovalStepDto' });
export type ApprovalStepDto = z.output<typeof ApprovalStepDto>;

const listed = {
  uuid: z.string(),
  name: z.string(),
  /** The latest version, or the one asked for. */
  version: int32(),
  description: z.string().optional(),
  /** Hours in which an approval must be decided. */
  expiry: int32(),
  numberOfSteps: int32(),
  /** RA profiles that the profile is associated with. */
  associations: int32(),
  /** Whether those who requested an operation may approve it themselves. Beyond the published interface. */
  allowOwnApproval: z.boolean(),
};

export const ApprovalProfileDto = z.object(listed).meta({ id: 'ApprovalProfileDto' });
export type ApprovalProfileDto = z.output<typeof ApprovalProfileDto>;

export const ApprovalProfileDetailDto = z
  .object({
    ...listed,
    approvalSteps: z.array(ApprovalStepDto),
    /** Objects that are associated with the profile. Beyond the published interface. */
    usedBy: z.array(z.object({ resource: Resource, uuid: z.string(), name: z.string() })),
  })
  .meta({ id: 'ApprovalProfileDetailDto' });
export type ApprovalProfileDetailDto = z.output<typeof ApprovalProfileDetailDto>;

export const ApprovalProfileResponseDto = z
  .object({ ...pageTotals, approvalProfiles: z.array(ApprovalProfileDto) })
  .meta({ id: 'ApprovalProfileResponseDto' });
export type ApprovalProfileResponseDto = z.output<typeof ApprovalProfileResponseDto>;

/** What a new profile and an edit have in common. */
const requested = {
  description: description().optional(),
  /** Hours, more than 0. Absent: kept by an edit, 720 in a new profile. */
  expiry: int32().optional(),
  approvalSteps: z.array(ApprovalStepRequestDto),
  /** Beyond the published interface. Absent: kept by an edit, false in a new profile. */
  allowOwnApproval: z.boolean().optional(),
};

export const ApprovalProfileRequestDto = z
  .object({
    name: objectName(),
    ...requested,
    /** Without effect: a profile is in force for the RA profiles that it is associated with. */
    enabled: z.boolean(),
  })
  .meta({ id: 'ApprovalProfileRequestDto' });
export type ApprovalProfileRequestDto = z.output<typeof ApprovalProfileRequestDto>;

/** The name stays. */
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
    /** Approvals that wait keep the version that they were requested with. */
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
