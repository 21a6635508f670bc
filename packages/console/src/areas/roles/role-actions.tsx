// What can be done with a role; nothing with those of the platform.
import { IconShieldLock } from '@tabler/icons-react';
import type { RoleDetailDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { roleQuery } from '../../queries/roles.ts';

export function RoleActions({ role }: { readonly role: RoleDetailDto }) {
  const { uuid, name, systemRole, users } = role;
  if (systemRole) return null;
  return (
    <Actions
      actions={[
        {
          label: 'Edit permissions',
          icon: IconShieldLock,
          isPrimary: true,
          needs: ['roles', 'update', uuid],
          to: paths.roles.permissions(uuid),
        },
        editAction(paths.roles.edit(uuid), ['roles', 'update', uuid]),
        removeAction({
          name,
          needs: ['roles', 'delete', uuid],
          remove: () => api.roles.deleteRole({ params: { roleUuid: uuid } }),
          consequence: `${consequenceFor(users.length)} This cannot be undone.`,
          list: paths.roles.list,
          queryKey: roleQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

function consequenceFor(users: number): string {
  if (users === 0) return 'No user has it.';
  return `${users === 1 ? 'One user has' : `${users} users have`} it, and may no longer do what only this role allows.`;
}
