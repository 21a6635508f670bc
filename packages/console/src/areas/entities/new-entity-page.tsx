// A new entity: its kind decides which further fields there are.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from '../connectors/kind-field.tsx';
import { keyOf, wordsOfKind, type OfferedKind } from '../connectors/kinds.ts';
import { EntityForm } from './entity-form.tsx';
import { kindsOfEntities } from './kinds.ts';

export function NewEntityPage() {
  return (
    <Page
      title="New entity"
      description="A server, device or store that a connector reaches. The places for certificates in it are added afterwards."
      parent={{ to: paths.entities.list, label: 'Servers and stores' }}
    >
      <Reading of={useQuery(connectorListQuery)} what="the kinds of entities" inPanel>
        {(connectors) => (
          <NewEntity kinds={kindsOfEntities(connectors.filter(({ status }) => status === 'connected'))} />
        )}
      </Reading>
    </Page>
  );
}

function NewEntity({ kinds }: { readonly kinds: readonly OfferedKind[] }) {
  const { connector }: { readonly connector?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState<string>();
  const near = kinds.filter(({ connectorUuid }) => connectorUuid === connector);
  const [only, ...others] = near.length > 0 ? near : kinds;
  const kind = kinds.find((each) => keyOf(each) === chosen) ?? (others.length === 0 ? only : undefined);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0)
    return (
      <Panel>
        <Empty title="No connector offers entities">
          Servers and stores are reached through connectors, and none of the connected ones offers any.
        </Empty>
      </Panel>
    );
  const instead = kind ? (
    <Reading of={definitions} what="the settings of this kind">
      {() => null}
    </Reading>
  ) : (
    <Empty title="Choose a kind">Each kind has its own settings.</Empty>
  );
  return (
    <EntityForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} wordsOf={wordsOfKind} onChange={setChosen} />}
    />
  );
}
