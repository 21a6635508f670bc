// All connectors.
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { WholeList } from '../../ui/whole-list.tsx';
import { connectorListQuery } from './queries.ts';
import { ConnectorState } from './state.tsx';
import { addressOf, functionGroupWords } from './words.ts';
import type { Connector } from './shapes.ts';

const columns: readonly Column<Connector>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (connector) => (
      <ObjectLink to={paths.connector(connector.uuid)} name={connector.name} detail={addressOf(connector)} />
    ),
  },
  { key: 'state', title: 'State', cell: ({ status }) => <ConnectorState status={status} /> },
  {
    key: 'offers',
    title: 'Offers',
    minor: true,
    cell: ({ functionGroups }) =>
      functionGroups.map(({ functionGroupCode: code, kinds }) => (
        <div key={code}>
          {functionGroupWords[code].title}
          <Text span size="xs" c="dimmed">
            {' '}
            {kinds.join(', ')}
          </Text>
        </div>
      )),
  },
];

export function ConnectorListPage() {
  const query = useQuery(connectorListQuery);
  return (
    <Page
      title="Connectors"
      description="A connector speaks with a certification authority or another system, so that the platform need not know its language."
      actions={
        <Button component={Link} to={paths.newConnector} leftSection={<IconPlus size={16} />}>
          Add a connector
        </Button>
      }
    >
      <WholeList
        query={query}
        what="connectors"
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        textOf={(connector) =>
          [connector.name, addressOf(connector), ...connector.functionGroups.flatMap(({ kinds }) => kinds)].join(' ')
        }
        empty={
          <Empty
            title="No connectors yet"
            action={
              <Button component={Link} to={paths.newConnector}>
                Add the first one
              </Button>
            }
          >
            Without one there is nobody to ask for certificates.
          </Empty>
        }
      />
    </Page>
  );
}
