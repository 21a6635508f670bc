// All roles.
import type { RoleDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { roleListQuery } from '../../queries/roles.ts';

const creatorOf = ({ systemRole }: RoleDto): string => (systemRole ? 'Platform' : 'Administrators');

const columns: readonly FullListColumn<RoleDto>[] = [
  nameColumn(paths.roles, ({ description }) => description),
  textColumn('kind', 'Created by', creatorOf),
  textColumn('email', 'Email', ({ email }) => email),
];

export function RoleListPage() {
  return (
    <ObjectListPage
      title="Roles"
      description="A role grants permissions to its users. Users with multiple roles have the permissions of all of them."
      paths={paths.roles}
      create={{ label: 'New role', needs: ['roles', 'create'] }}
      query={useQuery(roleListQuery)}
      what="roles"
      columns={columns}
      textOf={(role) => [role.name, role.description, role.email, creatorOf(role)].join(' ')}
      empty={{ title: 'No roles yet', text: 'Users without a role have no permissions.' }}
    />
  );
}
