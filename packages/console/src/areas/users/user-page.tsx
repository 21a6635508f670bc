// Details of a user: roles and permissions, groups, and sign-in methods.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { titleOf } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { AssignDialog } from '../../kit/assign-dialog.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { RelatedList } from '../../kit/related-list.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateQuery } from '../../queries/certificates.ts';
import { effectiveUserPermissionsQuery, userQuery } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState, State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CertificateState } from '../certificates/state.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { PermissionsView } from '../roles/permissions/permissions-view.tsx';
import type { UserDetail } from './shapes.ts';
import { SignIn, Tokens } from './sign-in.tsx';
import { UserActions } from './user-actions.tsx';
import classes from './user-page.module.css';
import { fullNameOf } from './texts.ts';

export function UserPage() {
  return (
    <ObjectPage
      query={useQuery(userQuery(useUuid()))}
      what="the user"
      parent={{ to: paths.users.list, label: 'Users' }}
      mark={({ enabled, systemUser }) =>
        systemUser ? <State tone="none">Protected</State> : <EnabledState enabled={enabled} />
      }
      description={({ description }) => description}
      actions={(user) => <UserActions user={user} />}
      main={(user) => (
        <>
          {user.systemUser && <Protected />}
          <Roles user={user} />
          <Permissions user={user} />
          {!user.systemUser && <Tokens user={user} />}
          {!user.systemUser && (
            <CustomValues resource="users" uuid={user.uuid} values={user.customAttributes} refresh={['users']} />
          )}
        </>
      )}
      side={(user) => (
        <>
          <About user={user} />
          {!user.systemUser && <SignIn user={user} />}
        </>
      )}
    />
  );
}

const Protected = () => (
  <Callout tone="none" title="Built-in user">
    The platform acts under this name, for example when responding to protocol requests, and records it in the audit
    log. Nobody can sign in as this user. It cannot be edited, disabled or removed, and its role cannot be changed.
  </Callout>
);

function About({ user }: { readonly user: UserDetail }) {
  const { uuid, username, email, groups, certificate } = user;
  return (
    <Panel title="About">
      <Facts
        facts={[
          { name: 'Username', value: username },
          { name: 'Name', value: fullNameOf(user) },
          { name: 'Email', value: email },
          {
            name: 'Groups',
            value:
              groups.length === 0 ? (
                'none'
              ) : (
                <span className={classes.links}>
                  {groups.map((group) => (
                    <TextLink key={group.uuid} to={paths.groups.one(group.uuid)}>
                      {group.name}
                    </TextLink>
                  ))}
                </span>
              ),
          },
          { name: 'Certificate', value: certificate ? <Certificate certificate={certificate} /> : 'none' },
          identifierFact(uuid),
        ]}
      />
    </Panel>
  );
}

/** Shows the certificate's name if the current user can list certificates, otherwise its fingerprint. */
function Certificate({
  certificate: { uuid, fingerprint },
}: {
  readonly certificate: NonNullable<UserDetail['certificate']>;
}) {
  const mayList = useMayList();
  const { data } = useQuery({ ...certificateQuery(uuid), enabled: mayList('certificates'), retry: false });
  if (!data) return <span className={classes.fingerprint}>{fingerprint}</span>;
  return (
    <span className={classes.links}>
      <TextLink to={paths.certificates.one(uuid)}>{titleOf(data)}</TextLink>
      <CertificateState certificate={data} />
    </span>
  );
}

function Roles({ user }: { readonly user: UserDetail }) {
  const { uuid, name, roles, systemUser } = user;
  const mayList = useMayList();
  const { data: all = [] } = useQuery(useRoles());
  return (
    <RelatedList
      title="Roles"
      query={{ data: roles, error: undefined, refetch: () => undefined }}
      what="the roles"
      linkOf={({ uuid: role }) => paths.roles.one(role)}
      empty="No roles. The user can only manage their own profile."
      actions={
        !systemUser &&
        mayList('roles') && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Change roles',
              needs: ['users', 'update', uuid],
              dialog: ({ opened, onClose }) =>
                opened && (
                  <AssignDialog
                    title={`Roles of ${name}`}
                    label="Roles"
                    description="The user has the permissions of all selected roles, effective from the next request."
                    choices={all}
                    chosen={roles.map((role) => role.uuid)}
                    onClose={onClose}
                    save={(body) => api.users.updateUserRoles({ params: { userUuid: uuid }, body })}
                    done={`Roles of ${name} saved`}
                  />
                ),
            }}
          />
        )
      }
    />
  );
}

function Permissions({ user: { uuid, name, roles } }: { readonly user: UserDetail }) {
  return (
    <Panel title={`Permissions of ${name}`}>
      <QueryView of={useQuery(effectiveUserPermissionsQuery(uuid))} what="the permissions">
        {(permissions) => (
          <PermissionsView
            permissions={permissions}
            whom="the user"
            withRoles={roles.length > 1}
            empty="No permissions. The user's roles do not grant any."
          />
        )}
      </QueryView>
    </Panel>
  );
}
