// Rows of this area's tables (migration 0035-approvals).
import type { ApprovalStatusEnum, Resource, ResourceAction } from '@signetry/contract';

export type ApprovalTables = {
  approval_profile: {
    uuid: string;
    name: string;
    latest_version: number;
    created_at: Date;
    updated_at: Date;
  };
  approval_profile_version: {
    uuid: string;
    approval_profile_uuid: string;
    version: number;
    description: string | null;
    expiry_hours: number;
    allow_own_approval: boolean;
    created_at: Date;
  };
  approval_step: {
    uuid: string;
    version_uuid: string;
    step_order: number;
    description: string | null;
    /** Exactly one of the three columns is set. */
    user_uuid: string | null;
    role_uuid: string | null;
    group_uuid: string | null;
    required_approvals: number;
  };
  approval: {
    uuid: string;
    version_uuid: string;
    resource: Resource;
    action: ResourceAction;
    object_uuid: string;
    creator_uuid: string;
    creator_username: string;
    status: ApprovalStatusEnum;
    created_at: Date;
    expiry_at: Date;
    closed_at: Date | null;
  };
  approval_recipient: {
    uuid: string;
    approval_uuid: string;
    step_uuid: string;
    status: ApprovalStatusEnum;
    /** User who decided. */
    user_uuid: string | null;
    username: string | null;
    comment: string | null;
    created_at: Date;
    closed_at: Date | null;
  };
};

export type ApprovalProfileRow = ApprovalTables['approval_profile'];
export type VersionRow = ApprovalTables['approval_profile_version'];
export type StepRow = ApprovalTables['approval_step'];
export type RecipientRow = ApprovalTables['approval_recipient'];
