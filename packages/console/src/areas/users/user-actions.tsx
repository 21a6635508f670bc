// What can be done with a user; nothing with those of the platform.
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/usual-actions.tsx';
import { userQuery } from '../../queries/people.ts';
import type { UserDetail } from './shapes.ts';

export function UserActions({ user }: { readonly user: UserDetail }) {
  const { uuid, name, enabled, systemUser } = user;
  const isSelf = useProfile().uuid === uuid;
  if (systemUser) return null;
  const params = { userUuid: uuid };
  const ofOthers = (label: string): Action => ({ label, why: 'Not your own account: another administrator can.' });
  return (
    <Actions
      actions={[
        editAction(paths.users.edit(uuid), ['users', 'update', uuid]),
        isSelf && enabled
          ? ofOthers('Disable')
          : switchAction({
              name,
              enabled,
              needs: ['users', 'enable', uuid],
              enable: () => api.users.enableUser({ params }),
              disable: () => api.users.disableUser({ params }),
              consequence:
                'All sessions end at once, and neither certificate nor access tokens are accepted until the user is enabled again.',
              refresh: ['users'],
            }),
        isSelf
          ? ofOthers('Remove')
          : removeAction({
              name,
              needs: ['users', 'delete', uuid],
              remove: () => api.users.deleteUser({ params }),
              consequence:
                'Sessions, passkeys and access tokens of the user end. What the user did stays in the audit log. This cannot be undone; to keep the account, disable it instead.',
              list: paths.users.list,
              queryKey: userQuery(uuid).queryKey,
            }),
      ]}
    />
  );
}
