// What can be done with a group.
import type { GroupDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { groupQuery } from '../../queries/people.ts';

export function GroupActions({ group: { uuid, name } }: { readonly group: GroupDto }) {
  return (
    <Actions
      actions={[
        editAction(paths.groups.edit(uuid), ['groups', 'update', uuid]),
        removeAction({
          name,
          needs: ['groups', 'delete', uuid],
          remove: () => api.groups.deleteGroup({ params: { uuid } }),
          consequence:
            'Its certificates, keys and users stay, without the group. Whoever saw them through the group only loses sight of them. This cannot be undone.',
          list: paths.groups.list,
          queryKey: groupQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
