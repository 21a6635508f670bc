// All connectors.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nameColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { connectorListQuery } from '../../queries/connectors.ts';
import type { Connector } from './shapes.ts';
import { ConnectorState } from './state.tsx';
import { addressOf, functionGroupWords } from './words.ts';

const columns: readonly WholeColumn<Connector>[] = [
  nameColumn<Connector>(paths.connectors, addressOf),
  { key: 'state', title: 'State', by: ({ status }) => status, cell: ({ status }) => <ConnectorState of={status} /> },
  {
    key: 'functions',
    title: 'Functions',
    minor: true,
    cell: ({ functionGroups }) =>
      functionGroups.map(({ functionGroupCode: code, kinds }) => (
        <div key={code}>
          {functionGroupWords[code].title}{' '}
          <Text span size="xs" c="dimmed">
            {kinds.join(', ')}
          </Text>
        </div>
      )),
  },
];

const textOf = (connector: Connector): string =>
  [connector.name, addressOf(connector), ...connector.functionGroups.flatMap(({ kinds }) => kinds)].join(' ');

export function ConnectorListPage() {
  return (
    <ObjectListPage
      title="Connectors"
      description="A connector links the platform to a certification authority or another system and speaks its protocol."
      paths={paths.connectors}
      create={{ label: 'New connector', needs: ['connectors', 'create'] }}
      query={useQuery(connectorListQuery)}
      what="connectors"
      columns={columns}
      textOf={textOf}
      empty={{ title: 'No connectors yet', text: 'Without a connector, no authority can issue certificates.' }}
    />
  );
}
