// One role: what it allows, and who has it.
import type { RoleDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconShieldLock } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { ActionButton, Actions } from '../../kit/actions.tsx';
import { AssignDialog } from '../../kit/assign-dialog.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { RelatedList } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { useUsers } from '../../queries/people.ts';
import { effectiveOfRoleQuery, roleQuery } from '../../queries/roles.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState, State } from '../../ui/state.tsx';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { PermissionsView } from './permissions/permissions-view.tsx';

export function RolePage() {
  return (
    <ObjectPage
      query={useQuery(roleQuery(useUuid()))}
      what="the role"
      parent={{ to: paths.roles.list, label: 'Roles' }}
      mark={({ systemRole }) => systemRole && <State tone="none">Protected</State>}
      description={({ description }) => description}
      actions={(role) => <RoleActions role={role} />}
      main={(role) => (
        <>
          {role.systemRole && (
            <Callout tone="none" title="This role belongs to the platform">
              The platform relies on it, so its name and permissions stay as they are. It can be given to users. For
              other permissions, make a role of your own.
            </Callout>
          )}
          <Permissions uuid={role.uuid} />
          {!role.systemRole && (
            <CustomValues resource="roles" uuid={role.uuid} values={role.customAttributes} refresh={['roles']} />
          )}
        </>
      )}
      side={(role) => (
        <>
          <Users role={role} />
          <Panel title="About">
            <Facts facts={[{ name: 'E-mail', value: role.email }, identifierFact(role.uuid)]} />
          </Panel>
        </>
      )}
    />
  );
}

function Permissions({ uuid }: { readonly uuid: string }) {
  return (
    <Panel title="Permissions">
      <Reading of={useQuery(effectiveOfRoleQuery(uuid))} what="the permissions">
        {(permissions) => (
          <PermissionsView
            permissions={permissions}
            whom="users with this role"
            empty="It allows nothing yet. Edit its permissions to say what its users may do."
          />
        )}
      </Reading>
    </Panel>
  );
}

function Users({ role }: { readonly role: RoleDetailDto }) {
  const { uuid, name, users } = role;
  const mayList = useMayList();
  const { data: all = [] } = useQuery(useUsers());
  const rows = users.map((user) => ({ ...user, name: user.username }));
  return (
    <RelatedList
      title="Users"
      query={{ data: rows, error: undefined, refetch: () => undefined }}
      what="the users"
      linkOf={({ uuid: user }) => paths.users.one(user)}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      empty="No user has this role."
      actions={
        mayList('users') && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Change users',
              needs: ['roles', 'update', uuid],
              dialog: ({ opened, onClose }) =>
                opened && (
                  <AssignDialog
                    title={`Users of ${name}`}
                    label="Users"
                    description="They may do what the role allows, from their next request on."
                    choices={all.filter(({ systemUser }) => !systemUser)}
                    chosen={users.map((user) => user.uuid)}
                    onClose={onClose}
                    save={(body) => api.roles.updateRoleUsers({ params: { roleUuid: uuid }, body })}
                    done={`The users of ${name} were saved.`}
                  />
                ),
            }}
          />
        )
      }
    />
  );
}

/** What can be done with a role; nothing with those of the platform. */
function RoleActions({ role }: { readonly role: RoleDetailDto }) {
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
