// Actions for an end entity.
import type { RaProfileDto } from '@signetry/contract';
import { IconKeyOff } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import type { Right } from '../../kit/rights.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { END_ENTITIES_KEY, endEntityQuery, type EndEntity } from '../../queries/end-entities.ts';

export interface EndEntityActionsProps {
  readonly profile: RaProfileDto;
  readonly entity: EndEntity;
}

export function EndEntityActions({ profile, entity: { username } }: EndEntityActionsProps) {
  const pages = paths.raProfiles.endEntities(profile.uuid);
  const params = { raProfileName: profile.name, username };
  const mayIssue: Right = ['certificates', 'issue'];
  return (
    <Actions
      actions={[
        editAction(pages.edit(username), mayIssue),
        {
          label: 'Reset password',
          icon: IconKeyOff,
          needs: mayIssue,
          run: () => api.legacyClientOperations.resetPassword({ params }),
          done: `The password of ${username} is no longer valid.`,
          refresh: END_ENTITIES_KEY,
          ask: {
            title: `Reset the password of ${username}?`,
            children:
              'The current password stops working. Authorities that deliver passwords send a new one; for all other authorities, edit the end entity to set one.',
          },
        },
        removeAction({
          label: 'Revoke and delete',
          name: username,
          needs: [
            ['certificates', 'revoke'],
            ['raProfiles', 'members', profile.uuid],
          ],
          remove: () => api.legacyClientOperations.revokeAndDeleteEndEntity({ params }),
          consequence: 'All its certificates are revoked (reason: cessation of operation). This cannot be undone.',
          list: pages.list,
          queryKey: endEntityQuery(params).queryKey,
        }),
      ]}
    />
  );
}
