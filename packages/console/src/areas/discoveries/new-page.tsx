// Creates a discovery. Its kind determines the other fields. Unless it is scheduled, it starts as soon as it is
// created.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from '../connectors/kind-field.tsx';
import { keyOf, kindsOfGroups, describeKind, type OfferedKind } from '../connectors/kinds.ts';
import { DiscoveryForm } from './discovery-form.tsx';

export function NewDiscoveryPage() {
  return (
    <Page
      title="New discovery"
      description="Runs in the background, now or on a schedule. Results are shown while it runs."
      parent={{ to: paths.discoveries.list, label: 'Discoveries' }}
    >
      <QueryView of={useQuery(connectorListQuery)} what="the kinds of discovery" inPanel>
        {(connectors) => (
          <NewDiscovery
            kinds={kindsOfGroups(
              connectors.filter(({ status }) => status === 'connected'),
              ['discoveryProvider'],
            )}
          />
        )}
      </QueryView>
    </Page>
  );
}

function NewDiscovery({ kinds }: { readonly kinds: readonly OfferedKind[] }) {
  const { connector }: { readonly connector?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState<string>();
  const near = kinds.filter(({ connectorUuid }) => connector === undefined || connectorUuid === connector);
  const kind = kinds.find((each) => keyOf(each) === chosen) ?? (near.length === 1 ? near[0] : undefined);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0) return <NoKinds />;
  const instead = kind ? (
    <QueryView of={definitions} what="the settings of this kind">
      {() => null}
    </QueryView>
  ) : (
    <Empty title="Choose a kind">Each kind has its own settings.</Empty>
  );
  return (
    <DiscoveryForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} wordsOf={describeKind} onChange={setChosen} />}
    />
  );
}

function NoKinds() {
  return (
    <Panel>
      <Empty
        title="No connector supports discovery"
        action={
          <ActionButton
            action={{
              label: 'Open connectors',
              isPrimary: true,
              needs: ['connectors', 'list'],
              to: paths.connectors.list,
            }}
          />
        }
      >
        Certificates are discovered through connectors, but no connected one supports discovery.
      </Empty>
    </Panel>
  );
}
