// All connectors.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { nameColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { connectorListQuery } from '../../queries/connectors.ts';
import { Callout } from '../../ui/callout.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { Connector } from './shapes.ts';
import { ConnectorState } from './state.tsx';
import { describeUrl, functionGroupTexts } from './texts.ts';

const columns: readonly FullListColumn<Connector>[] = [
  nameColumn<Connector>(paths.connectors, describeUrl),
  { key: 'state', title: 'State', by: ({ status }) => status, cell: ({ status }) => <ConnectorState of={status} /> },
  {
    key: 'functions',
    title: 'Functions',
    minor: true,
    cell: ({ functionGroups }) =>
      functionGroups.map(({ functionGroupCode: code, kinds }) => (
        <div key={code}>
          {functionGroupTexts[code].title}{' '}
          <Text span size="xs" c="dimmed">
            {kinds.join(', ')}
          </Text>
        </div>
      )),
  },
];

const textOf = (connector: Connector): string =>
  [connector.name, describeUrl(connector), ...connector.functionGroups.flatMap(({ kinds }) => kinds)].join(' ');

export function ConnectorListPage() {
  const query = useQuery(connectorListQuery);
  return (
    <ObjectListPage
      title="Connectors"
      term="connector"
      description="A connector links the platform to a certification authority or other system, using that system’s protocol."
      paths={paths.connectors}
      create={{ label: 'New connector', needs: ['connectors', 'create'] }}
      query={query}
      notice={<WaitingConnectors connectors={query.data ?? []} />}
      what="connectors"
      columns={columns}
      textOf={textOf}
      empty={{ title: 'No connectors yet', text: 'Add one so that authorities can issue certificates.' }}
    />
  );
}

/** Maximum number of connectors that are mentioned by name. The list below contains all of them. */
const NAMED = 5;

/** Lists self-registered connectors that are waiting for approval, regardless of where they are in the list. */
function WaitingConnectors({ connectors }: { readonly connectors: readonly Connector[] }) {
  const waiting = connectors.filter(({ status }) => status === 'waitingForApproval');
  if (waiting.length === 0) return null;
  const title =
    waiting.length === 1
      ? '1 connector is waiting for approval'
      : `${waiting.length} connectors are waiting for approval`;
  return (
    <Callout tone="wait" title={title}>
      Connectors that registered themselves are not called until they are approved:{' '}
      {waiting.slice(0, NAMED).map(({ uuid, name }, place) => (
        <Fragment key={uuid}>
          {place > 0 && ', '}
          <TextLink inSentence to={paths.connectors.one(uuid)}>
            {name}
          </TextLink>
        </Fragment>
      ))}
      {waiting.length > NAMED && ` and ${waiting.length - NAMED} more`}
    </Callout>
  );
}
