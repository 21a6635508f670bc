// Actions for a user. The platform's built-in users have none.
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { Actions, type Action } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
import { userQuery } from '../../queries/people.ts';
import type { UserDetail } from './shapes.ts';

export function UserActions({ user }: { readonly user: UserDetail }) {
  const { uuid, name, enabled, systemUser } = user;
  const isSelf = useProfile().uuid === uuid;
  if (systemUser) return null;
  const params = { userUuid: uuid };
  const disabledForSelf = (label: string): Action => ({
    label,
    why: 'Not possible for your own account. Ask another administrator.',
  });
  return (
    <Actions
      actions={[
        editAction(paths.users.edit(uuid), ['users', 'update', uuid]),
        isSelf && enabled
          ? disabledForSelf('Disable')
          : switchAction({
              name,
              enabled,
              needs: ['users', 'enable', uuid],
              enable: () => api.users.enableUser({ params }),
              disable: () => api.users.disableUser({ params }),
              consequence:
                "All sessions end immediately. The user's certificate and access tokens are rejected until the user is enabled again.",
              refresh: ['users'],
            }),
        isSelf
          ? disabledForSelf('Remove')
          : removeAction({
              name,
              needs: ['users', 'delete', uuid],
              remove: () => api.users.deleteUser({ params }),
              consequence:
                "All of the user's sessions end, and passkeys and access tokens are deleted. The user's audit records are kept. This cannot be undone. To keep the account, disable it instead.",
              list: paths.users.list,
              queryKey: userQuery(uuid).queryKey,
            }),
      ]}
    />
  );
}
