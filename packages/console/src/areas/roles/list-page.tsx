// All roles.
import type { RoleDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { roleListQuery } from '../../queries/roles.ts';

const madeBy = ({ systemRole }: RoleDto): string => (systemRole ? 'Platform' : 'Administrators');

const columns: readonly WholeColumn<RoleDto>[] = [
  nameColumn(paths.roles, ({ description }) => description),
  textColumn('kind', 'Created by', madeBy),
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
      textOf={(role) => [role.name, role.description, role.email, madeBy(role)].join(' ')}
      empty={{ title: 'No roles yet', text: 'Users without a role have no permissions.' }}
    />
  );
}
