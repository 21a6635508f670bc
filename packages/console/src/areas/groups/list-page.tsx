// All groups.
import type { GroupDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { groupListQuery } from '../../queries/people.ts';

const columns: readonly FullListColumn<GroupDto>[] = [
  nameColumn(paths.groups, ({ description }) => description),
  textColumn('email', 'Email', ({ email }) => email),
];

export function GroupListPage() {
  return (
    <ObjectListPage
      title="Groups"
      description="A group contains the certificates, keys and users of a team. A role can grant access to the objects of a group."
      paths={paths.groups}
      create={{ label: 'New group', needs: ['groups', 'create'] }}
      query={useQuery(groupListQuery)}
      what="groups"
      columns={columns}
      textOf={({ name, description, email }) => [name, description, email].join(' ')}
      empty={{
        title: 'No groups yet',
        text: 'Add a group for each team that is responsible for certificates, so that its members see only their own.',
      }}
    />
  );
}
