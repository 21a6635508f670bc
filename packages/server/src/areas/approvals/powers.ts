// What a say in approvals asks of those who hand it out: whoever makes somebody an approver by a role or a group, or
// can sign in as an approver, could have edited the approval profile as well.
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
