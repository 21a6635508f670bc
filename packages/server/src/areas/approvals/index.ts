// Approvals: operations that wait until users approve them. Owns: approval_profile, approval_profile_version,
// approval_step, approval, approval_recipient. Invariants: there is at most one pending approval per object; only one
// decision is pending at a time; no user decides twice, or on their own request unless the profile allows it; closing
// an approval and its effects in the object's area are one transaction.
import type { ApprovalProfileDto, ApprovalResponseDto, Resource } from '@signetry/contract';
import type { PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { type IdentityArea, requirePermission, type Privileges, type PrivilegeHolder } from '../identity/index.ts';
import type { Users } from './approvers.ts';
import { expireOverdue } from './decide.ts';
import { publishApprovalEvents } from './events.ts';
import type { ApprovalProfileUse, ApprovalSubject } from './ports.ts';
import { createApprovalProfileService } from './profiles.ts';
import { request, type NewApproval, type RequestedApproval } from './request.ts';
import { approvalRoutes } from './routes.ts';
import { createApprovalService } from './service.ts';
import { approvalProfiles, findProfilesByApprover } from './store-profiles.ts';
import type { RequestContext } from '../../kernel/actor.ts';

export { evaluatedApprovals } from './search-fields.ts';
export type { ApprovalProfileUse, ApprovalSubject, DecidedApproval, Decision } from './ports.ts';
export type { NewApproval, RequestedApproval } from './request.ts';

const EXPIRY_QUEUE = 'approvals-expiry';
const EVERY_MINUTE = '* * * * *';

/** Approval functions for other areas. */
export interface Approvals {
  /** Registers the area of a resource whose operations wait for approvals. */
  registerSubject(subject: ApprovalSubject): void;
  registerUse(use: ApprovalProfileUse): void;
  /**
   * Requests approval of an operation, in the transaction that records the planned work. The request is rejected (422)
   * if an operation on the object is already awaiting approval, or if no user could approve it.
   */
  request(tx: Executor, approval: NewApproval): Promise<RequestedApproval>;
  /** Returns an object's approvals, newest first. */
  listOfObject(resource: Resource, objectUuid: string, page: PageRequest): Promise<ApprovalResponseDto>;
  /** Returns list entries of the profiles that exist. */
  describeProfiles(uuids: readonly string[]): Promise<ApprovalProfileDto[]>;
  /** Returns the profile, locked until the transaction ends; 404 if it does not exist. */
  holdProfile(tx: Executor, uuid: string): Promise<{ readonly uuid: string; readonly name: string }>;
  /** Closes overdue approvals; returns their number. A job runs this every minute. */
  expireOverdue(): Promise<number>;
}

export function createApprovalsArea(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly users: Users & Pick<IdentityArea, 'registerPowers'> },
): Area & Approvals {
  publishApprovalEvents(platform.events);
  areas.users.registerPowers(approverPrivileges);
  const subjects = new Map<Resource, ApprovalSubject>();
  const uses: ApprovalProfileUse[] = [];
  const parts = { platform, ...areas, subjects, uses };
  const profiles = createApprovalProfileService(parts);
  const approvals = createApprovalService(parts);
  platform.jobs.declare({
    name: EXPIRY_QUEUE,
    schedule: EVERY_MINUTE,
    retryLimit: 0,
    handle: async () => {
      await expireOverdue(parts);
    },
  });

  return {
    routes: approvalRoutes({ profiles, approvals }),
    registerSubject: (subject) => void subjects.set(subject.resource, subject),
    registerUse: (use) => void uses.push(use),
    request: (tx, approval) => request(parts, tx, approval),
    listOfObject: approvals.listOfObject,
    describeProfiles: profiles.describe,
    holdProfile: (tx, uuid) => approvalProfiles.lock(tx, uuid),
    expireOverdue: () => expireOverdue(parts),
  };
}

/**
 * Permission required to appoint approvers. A user who can make someone an approver through a role or group, or who can
 * sign in as an approver, could just as well edit the approval profile, so the same permission is required.
 */
export const approverPrivileges: Privileges = {
  async assertHeld(tx: Executor, of: PrivilegeHolder, context: RequestContext): Promise<void> {
    for (const { uuid, name } of await findProfilesByApprover(tx, of))
      requirePermission(context, {
        resource: 'approvalProfiles',
        action: 'update',
        objects: [uuid],
        name: `approvers of ${name}`,
      });
  },
};
