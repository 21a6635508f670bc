// All authorities.
import type { AuthorityInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { authorityListQuery } from '../../queries/authorities.ts';
import { AuthorityState } from './state.tsx';

const columns: readonly FullListColumn<AuthorityInstanceDto>[] = [
  nameColumn(paths.authorities),
  { key: 'state', title: 'State', by: ({ status }) => status, cell: ({ status }) => <AuthorityState of={status} /> },
  textColumn('kind', 'Kind', ({ kind }) => kind),
  linkColumn('connector', 'Connector', {
    paths: paths.connectors,
    of: ({ connectorUuid, connectorName }) => ({ uuid: connectorUuid, name: connectorName }),
  }),
];

export function AuthorityListPage() {
  return (
    <ObjectListPage
      title="Authorities"
      term="authority"
      description="Authorities sign certificates. The platform reaches them through connectors; RA profiles define the conditions for issuing."
      paths={paths.authorities}
      create={{ label: 'New authority', needs: ['authorities', 'create'] }}
      query={useQuery(authorityListQuery)}
      what="authorities"
      columns={columns}
      textOf={({ name, kind, connectorName }) => [name, kind, connectorName].join(' ')}
      empty={{
        title: 'No authorities yet',
        text: 'Create one with the built-in software CA in seconds, or connect an existing authority.',
      }}
    />
  );
}
