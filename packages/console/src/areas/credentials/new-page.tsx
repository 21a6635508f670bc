// A new credential: its kind decides what it holds.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from '../connectors/kind-field.tsx';
import { keyOf, type OfferedKind } from '../connectors/kinds.ts';
import { CredentialForm } from './credential-form.tsx';
import { kindsOf } from './kinds.ts';

export function NewCredentialPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <Page
      title="New credential"
      description="Keeps a secret once, for all settings that need it. It can be replaced later, but is never shown again."
      parent={{ to: paths.credentials.list, label: 'Credentials' }}
    >
      <Reading of={connectors} what="the kinds of credentials" inPanel>
        {(connectors) => <NewCredential kinds={kindsOf(connectors.filter(({ status }) => status === 'connected'))} />}
      </Reading>
    </Page>
  );
}

function NewCredential({ kinds }: { readonly kinds: readonly OfferedKind[] }) {
  const [chosen, setChosen] = useState<string>();
  const kind = kinds.length === 1 ? kinds[0] : kinds.find((each) => keyOf(each) === chosen);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0)
    return (
      <Panel>
        <Empty title="No connector offers credentials">None of the connected connectors offers any.</Empty>
      </Panel>
    );
  const instead = kind ? (
    <Reading of={definitions} what="the contents of this kind">
      {() => null}
    </Reading>
  ) : (
    <Empty title="Choose a kind">Each kind holds something else.</Empty>
  );
  return (
    <CredentialForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} onChange={setChosen} />}
    />
  );
}
