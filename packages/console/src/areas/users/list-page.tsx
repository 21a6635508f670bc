// All users, people before those of the platform.
import type { UserAccess } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { enabledColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { userAccessQuery, userListQuery } from '../../queries/people.ts';
import classes from './list-page.module.css';
import type { User } from './shapes.ts';
import { rolesInWords, secondLineOf, waysInOf } from './words.ts';

const groupsOf = ({ groups }: User): string => groups.map(({ name }) => name).join(', ');

type AccessOf = (user: User) => UserAccess | undefined;

/** Two lines at most, since somebody may have a dozen roles; all of them are in the title, and on the page. */
const shortColumn = (key: string, title: string, textOf: (user: User) => string | undefined): WholeColumn<User> => {
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

const columnsOf = (accessOf: AccessOf): readonly WholeColumn<User>[] => [
  { ...nameColumn<User>(paths.users, secondLineOf), title: 'Username' },
  enabledColumn(),
  shortColumn('roles', 'Roles', (user) => {
    const access = accessOf(user);
    return access && (rolesInWords(access) || 'None');
  }),
  shortColumn('ways', 'Signs in with', (user) => {
    const access = accessOf(user);
    return user.systemUser ? undefined : access && (waysInOf(access) ?? 'Nothing yet');
  }),
  shortColumn('groups', 'Groups', (user) => groupsOf(user) || undefined),
  shortColumn('email', 'E-mail', ({ email }) => email),
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
    const further = shown ? [rolesInWords(shown), waysInOf(shown)] : [];
    return [user.name, secondLineOf(user), user.email, groupsOf(user), ...further].join(' ');
  };
  return (
    <ObjectListPage
      title="Users"
      description="People and programs that may sign in. Their roles say what they may do, their groups what they look after."
      paths={paths.users}
      create={{ label: 'New user', needs: ['users', 'create'] }}
      query={useQuery(userListQuery)}
      what="users"
      columns={columns}
      textOf={textOf}
      empty={{ title: 'No users yet', text: 'Add one for each person and each program that works here.' }}
    />
  );
}
