// Permission required to appoint approvers. A user who can make someone an approver through a role or group, or who can
// sign in as an approver, could just as well edit the approval profile, so the same permission is required.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { requirePermission, type Privileges, type PrivilegeHolder } from '../identity/index.ts';
import { findProfilesByApprover } from './store-profiles.ts';

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
