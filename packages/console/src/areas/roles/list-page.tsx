// All roles.
import type { RoleDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { roleListQuery } from '../../queries/roles.ts';

const madeBy = ({ systemRole }: RoleDto): string => (systemRole ? 'The platform' : 'Administrators');

const columns: readonly WholeColumn<RoleDto>[] = [
  nameColumn(paths.roles, ({ description }) => description),
  textColumn('kind', 'Made by', madeBy),
  textColumn('email', 'E-mail', ({ email }) => email),
];

export function RoleListPage() {
  return (
    <ObjectListPage
      title="Roles"
      description="A role says what its users may do. Give a user several roles to add up what they allow."
      paths={paths.roles}
      create={{ label: 'New role', needs: ['roles', 'create'] }}
      query={useQuery(roleListQuery)}
      what="roles"
      columns={columns}
      textOf={(role) => [role.name, role.description, role.email, madeBy(role)].join(' ')}
      empty={{ title: 'No roles yet', text: 'Without a role, users may do nothing.' }}
    />
  );
}
