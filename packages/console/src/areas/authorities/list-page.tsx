// All authorities.
import { Button, Text } from '@mantine/core';
import type { AuthorityInstanceDto } from '@signetry/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { WholeList } from '../../ui/whole-list.tsx';
import { authorityListQuery } from './queries.ts';
import { AuthorityState } from './state.tsx';

const columns: readonly Column<AuthorityInstanceDto>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name }) => <ObjectLink to={paths.authority(uuid)} name={name} />,
  },
  { key: 'state', title: 'State', cell: ({ status }) => <AuthorityState status={status} /> },
  { key: 'kind', title: 'Kind', minor: true, cell: ({ kind }) => kind },
  {
    key: 'connector',
    title: 'Connector',
    minor: true,
    cell: ({ connectorUuid, connectorName }) =>
      connectorUuid === undefined ? (
        <Text size="sm" c="dimmed">
          removed
        </Text>
      ) : (
        <TextLink to={paths.connector(connectorUuid)}>{connectorName}</TextLink>
      ),
  },
];

export function AuthorityListPage() {
  const query = useQuery(authorityListQuery);
  return (
    <Page
      title="Authorities"
      description="An authority signs certificates. It lives at a connector; RA profiles say under which conditions it issues."
      actions={
        <Button component={Link} to={paths.newAuthority} leftSection={<IconPlus size={16} />}>
          New authority
        </Button>
      }
    >
      <WholeList
        query={query}
        what="authorities"
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        textOf={({ name, kind, connectorName }) => [name, kind, connectorName].join(' ')}
        empty={
          <Empty
            title="No authorities yet"
            action={
              <Button component={Link} to={paths.newAuthority}>
                Make the first one
              </Button>
            }
          >
            The software CA of the platform makes one in a moment; other connectors bring authorities that you have.
          </Empty>
        }
      />
    </Page>
  );
}
