// One role: its permissions and its users.
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
import { QueryView } from '../../kit/query-view.tsx';
import { RelatedList } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { useUsers } from '../../queries/people.ts';
import { effectiveRolePermissionsQuery, roleQuery } from '../../queries/roles.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState, State } from '../../ui/state.tsx';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
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
            <Callout tone="none" title="This role is managed by the platform">
              The platform relies on this role, so its name and permissions cannot be changed. You can assign it to
              users. If you need different permissions, create a new role.
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
            <Facts facts={[{ name: 'Email', value: role.email }, identifierFact(role.uuid)]} />
          </Panel>
        </>
      )}
    />
  );
}

function Permissions({ uuid }: { readonly uuid: string }) {
  return (
    <Panel title="Permissions">
      <QueryView of={useQuery(effectiveRolePermissionsQuery(uuid))} what="the permissions">
        {(permissions) => (
          <PermissionsView
            permissions={permissions}
            whom="users with this role"
            empty="This role does not grant any permissions yet. Edit its permissions to define what its users can do."
          />
        )}
      </QueryView>
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
                    title={`Users with the role ${name}`}
                    label="Users"
                    description="Users get the permissions of the role with their next request."
                    choices={all.filter(({ systemUser }) => !systemUser)}
                    chosen={users.map((user) => user.uuid)}
                    onClose={onClose}
                    save={(body) => api.roles.updateRoleUsers({ params: { roleUuid: uuid }, body })}
                    done={`The users with the role ${name} were saved.`}
                  />
                ),
            }}
          />
        )
      }
    />
  );
}

/** Actions for a role. Roles managed by the platform have none. */
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
  if (users === 0) return 'No user has this role.';
  return `${users === 1 ? 'One user has' : `${users} users have`} this role and will lose the permissions that only this role grants.`;
}
