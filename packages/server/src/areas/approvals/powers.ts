// Permission required to appoint approvers. A user who can make someone an approver through a role or group, or who can
// sign in as an approver, could just as well edit the approval profile, so the same permission is required.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { requirePermission, type Powers, type PowersOf } from '../identity/index.ts';
import { findProfilesAsking } from './store-profiles.ts';

export const approverPowers: Powers = {
  async assertHeld(tx: Executor, of: PowersOf, context: RequestContext): Promise<void> {
    for (const { uuid, name } of await findProfilesAsking(tx, of))
      requirePermission(context, {
        resource: 'approvalProfiles',
        action: 'update',
        objects: [uuid],
        name: `approvers of ${name}`,
      });
  },
};
