// Approvals: operations that wait for users' approval, and the users' decisions.
import { z } from 'zod';
import { ApprovalStatusEnum } from '../enums/approvals.ts';
import type { AdditionalPermission } from '../operation.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { dateTime, description, int32 } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { queryBoolean } from '../shared/query.ts';
import { stepResponseFields } from './approval-profiles.ts';
import { Resource, ResourceAction } from './resource.ts';

const listed = {
  approvalUuid: z.string(),
  creatorUuid: z.string(),
  /** Name of the user who requested the operation. */
  creatorUsername: z.string().optional(),
  /** Version of the approval profile. */
  version: int32(),
  createdAt: dateTime(),
  expiryAt: dateTime(),
  closedAt: dateTime().optional(),
  status: ApprovalStatusEnum,
  /** Resource of the object that awaits approval, and the requested action. */
  resource: Resource,
  resourceAction: ResourceAction,
  objectUuid: z.string(),
  /**
   * Name of the object, e.g. a certificate's common name; absent if the object was deleted. Not part of the published
   * interface.
   */
  objectName: z.string().optional(),
  /** Number of steps in this version of the approval profile. Not part of the published interface. */
  numberOfSteps: int32(),
  /** Position of the next step to be decided, starting at 1. Not part of the published interface. */
  awaitedStep: int32().optional(),
  approvalProfileName: z.string(),
  approvalProfileUuid: z.string(),
};

export const ApprovalDto = z.object(listed).meta({ id: 'ApprovalDto' });
export type ApprovalDto = z.output<typeof ApprovalDto>;

/** A completed or pending decision. Each user decides at most once. */
export const ApprovalStepRecipientDto = z
  .object({
    approvalRecipientUuid: z.string(),
    /** The user who decided; absent while the decision is pending. */
    userUuid: z.string().optional(),
    username: z.string().optional(),
    createdAt: dateTime(),
    closedAt: dateTime().optional(),
    status: ApprovalStatusEnum,
    comment: z.string().optional(),
  })
  .meta({ id: 'ApprovalStepRecipientDto' });
export type ApprovalStepRecipientDto = z.output<typeof ApprovalStepRecipientDto>;

export const ApprovalDetailStepDto = z
  .object({ ...stepResponseFields, approvalStepRecipients: z.array(ApprovalStepRecipientDto) })
  .meta({ id: 'ApprovalDetailStepDto' });
export type ApprovalDetailStepDto = z.output<typeof ApprovalDetailStepDto>;

export const ApprovalDetailDto = z
  .object({
    ...listed,
    /** Expiry in hours, as specified in this version of the approval profile. */
    expiry: int32(),
    description: z.string().optional(),
    approvalSteps: z.array(ApprovalDetailStepDto),
    /** Whether a decision by the caller is pending. Not part of the published interface. */
    awaitsCaller: z.boolean(),
    /** Whether the caller can decide on behalf of all recipients. Not part of the published interface. */
    overridableByCaller: z.boolean(),
  })
  .meta({ id: 'ApprovalDetailDto' });
export type ApprovalDetailDto = z.output<typeof ApprovalDetailDto>;

export const ApprovalResponseDto = z
  .object({ ...pageTotals, approvals: z.array(ApprovalDto) })
  .meta({ id: 'ApprovalResponseDto' });
export type ApprovalResponseDto = z.output<typeof ApprovalResponseDto>;

export const UserApprovalDto = z.object({ comment: description().optional() }).meta({ id: 'UserApprovalDto' });
export type UserApprovalDto = z.output<typeof UserApprovalDto>;

/** Callers who are not involved and lack this permission get the same response as if the approval did not exist. */
const listOfApprovals: AdditionalPermission = {
  resource: 'approvals',
  action: 'list',
  where: 'the caller neither requested the operation nor decides on it',
};

export const approvalOperations = operations(
  { tag: 'Approval Inventory', resource: 'approvals', module: 'approvals', errors: ruleErrors },
  {
    /** Newest first. */
    listApprovals: {
      route: 'GET /v1/approvals',
      summary: 'List of Approvals',
      query: z.object(pageQuery),
      answer: ApprovalResponseDto,
      errors: plainErrors,
      access: { action: 'list' },
    },
    /** Approvals that wait for the caller; with `history`, also those that the caller has already decided. */
    listUserApprovals: {
      route: 'GET /v1/approvals/user',
      summary: "List of User's Approvals",
      query: z.object({ ...pageQuery, history: queryBoolean().optional() }),
      answer: ApprovalResponseDto,
      errors: plainErrors,
      access: 'authenticated',
    },
    getApproval: {
      route: 'GET /v1/approvals/{uuid}',
      summary: 'Get Approval Detail',
      answer: ApprovalDetailDto,
      errors: objectErrors,
      access: 'authenticated',
      also: [listOfApprovals],
    },
    /** Closes the approval on behalf of all its recipients. */
    approveApproval: {
      route: 'PATCH /v1/approvals/{uuid}/approve',
      summary: 'Approving of the Approval',
      access: { action: 'approve', object: 'uuid' },
      audit: 'approveOverride',
    },
    /** Records the recipient's pending decision. */
    approveApprovalRecipient: {
      route: 'PATCH /v1/approvals/{uuid}/approveRecipient',
      summary: 'Approving of Recipient of the Approval',
      body: UserApprovalDto,
      access: 'authenticated',
      scope: { resource: 'approvals', action: 'approve' },
      audit: 'approve',
    },
    /** Closes the approval on behalf of all its recipients. */
    rejectApproval: {
      route: 'PATCH /v1/approvals/{uuid}/reject',
      summary: 'Rejecting of the Approval',
      access: { action: 'approve', object: 'uuid' },
      audit: 'rejectOverride',
    },
    /** A single rejection closes the approval. */
    rejectApprovalRecipient: {
      route: 'PATCH /v1/approvals/{uuid}/rejectRecipient',
      summary: 'Rejecting of Recipient of the Approval',
      body: UserApprovalDto,
      access: 'authenticated',
      scope: { resource: 'approvals', action: 'approve' },
      audit: 'reject',
    },
  },
);
