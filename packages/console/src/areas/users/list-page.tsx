// All users, with the platform's built-in users last.
import type { UserAccess } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { enabledColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { userAccessQuery, userListQuery } from '../../queries/people.ts';
import classes from './list-page.module.css';
import type { User } from './shapes.ts';
import { formatRoles, secondLineOf, describeSignInMethods } from './texts.ts';

const groupsOf = ({ groups }: User): string => groups.map(({ name }) => name).join(', ');

type AccessOf = (user: User) => UserAccess | undefined;

/**
 * Returns a column limited to two lines, because users can have many roles. The tooltip and the user's page show the
 * full text.
 */
const shortColumn = (key: string, title: string, textOf: (user: User) => string | undefined): FullListColumn<User> => {
  const column = textColumn(key, title, textOf);
  return {
    ...column,
    cell: (user) => (
      <span className={classes.short} title={textOf(user)}>
        {column.cell(user)}
      </span>
    ),
  };
};

const columnsOf = (accessOf: AccessOf): readonly FullListColumn<User>[] => [
  { ...nameColumn<User>(paths.users, secondLineOf), title: 'Username' },
  enabledColumn(),
  shortColumn('roles', 'Roles', (user) => {
    const access = accessOf(user);
    return access && (formatRoles(access) || 'None');
  }),
  shortColumn('ways', 'Sign-in methods', (user) => {
    const access = accessOf(user);
    return user.systemUser ? undefined : access && (describeSignInMethods(access) ?? 'None');
  }),
  shortColumn('groups', 'Groups', (user) => groupsOf(user) || undefined),
  shortColumn('email', 'Email', ({ email }) => email),
];

export function UserListPage() {
  const access = useQuery(userAccessQuery).data;
  const accessOf = useMemo<AccessOf>(
    () =>
      ({ uuid }) =>
        access?.get(uuid),
    [access],
  );
  const columns = useMemo(() => columnsOf(accessOf), [accessOf]);
  const textOf = (user: User): string => {
    const shown = accessOf(user);
    const further = shown ? [formatRoles(shown), describeSignInMethods(shown)] : [];
    return [user.name, secondLineOf(user), user.email, groupsOf(user), ...further].join(' ');
  };
  return (
    <ObjectListPage
      title="Users"
      description="Human and machine users. Roles grant permissions; groups determine the objects that users are responsible for."
      paths={paths.users}
      create={{ label: 'New user', needs: ['users', 'create'] }}
      query={useQuery(userListQuery)}
      what="users"
      columns={columns}
      textOf={textOf}
      empty={{ title: 'No users yet', text: 'Create one for each human or machine user.' }}
    />
  );
}
