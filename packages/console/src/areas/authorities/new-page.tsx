// A new authority: its kind decides which further fields there are.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from '../connectors/kind-field.tsx';
import { keyOf, kindsOfAuthorities } from '../connectors/kinds.ts';
import { AuthorityForm } from './authority-form.tsx';
import { usualKind, type AuthorityKind } from './kinds.ts';

export function NewAuthorityPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <Page
      title="New authority"
      description="Creates a certification authority at a connector, or registers one that the connector can reach."
      parent={{ to: paths.authorities.list, label: 'Authorities' }}
    >
      <Reading of={connectors} what="the kinds of authorities" inPanel>
        {(connectors) => (
          <NewAuthority kinds={kindsOfAuthorities(connectors.filter(({ status }) => status === 'connected'))} />
        )}
      </Reading>
    </Page>
  );
}

function NewAuthority({ kinds }: { readonly kinds: readonly AuthorityKind[] }) {
  const { connector }: { readonly connector?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState<string>();
  const kind = kinds.find((each) => keyOf(each) === chosen) ?? usualKind(kinds, connector);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0) return <NoKinds />;
  const instead = kind ? (
    <Reading of={definitions} what="the settings of this kind">
      {() => null}
    </Reading>
  ) : (
    <Empty title="Choose a kind">Each kind has its own settings.</Empty>
  );
  return (
    <AuthorityForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} onChange={setChosen} />}
    />
  );
}

function NoKinds() {
  return (
    <Panel>
      <Empty
        title="No connector offers authorities"
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
        Authorities are reached through connectors, and none of the connected ones offers any.
      </Empty>
    </Panel>
  );
}
