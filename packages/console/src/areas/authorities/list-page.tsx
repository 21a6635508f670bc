// All authorities.
import { Text } from '@mantine/core';
import type { AuthorityInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { authorityListQuery } from '../../queries/authorities.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AuthorityState } from './state.tsx';

const columns: readonly WholeColumn<AuthorityInstanceDto>[] = [
  {
    key: 'name',
    title: 'Name',
    by: ({ name }) => name,
    cell: ({ uuid, name }) => <ObjectLink to={paths.authorities.one(uuid)} name={name} />,
  },
  {
    key: 'state',
    title: 'State',
    by: ({ status }) => status,
    cell: ({ status }) => <AuthorityState status={status} />,
  },
  { key: 'kind', title: 'Kind', minor: true, by: ({ kind }) => kind, cell: ({ kind }) => kind },
  {
    key: 'connector',
    title: 'Connector',
    minor: true,
    by: ({ connectorName }) => connectorName ?? '',
    cell: ({ connectorUuid, connectorName }) =>
      connectorUuid === undefined ? (
        <Text size="sm" c="dimmed">
          removed
        </Text>
      ) : (
        <TextLink to={paths.connectors.one(connectorUuid)}>{connectorName}</TextLink>
      ),
  },
];

export function AuthorityListPage() {
  return (
    <ObjectListPage
      title="Authorities"
      description="An authority signs certificates. The platform reaches it through a connector; RA profiles set the conditions for issuing."
      paths={paths.authorities}
      create={{ label: 'New authority', needs: ['authorities', 'create'] }}
      query={useQuery(authorityListQuery)}
      what="authorities"
      columns={columns}
      textOf={({ name, kind, connectorName }) => [name, kind, connectorName].join(' ')}
      empty={{
        title: 'No authorities yet',
        text: 'The built-in software CA creates one in seconds. Other connectors bring in the authorities that you already run.',
      }}
    />
  );
}
