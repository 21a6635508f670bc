// A new token: its kind decides which further fields there are.
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
import { keyOf, kindsOfTokens, wordsOfKind, type OfferedKind } from '../connectors/kinds.ts';
import { TokenForm } from './token-form.tsx';

export function NewTokenPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <Page
      title="New token"
      description="Creates a token at a connector, or registers one that the connector can reach. Some are activated before their keys can be used."
      parent={{ to: paths.tokens.list, label: 'Tokens' }}
    >
      <Reading of={connectors} what="the kinds of tokens" inPanel>
        {(connectors) => <NewToken kinds={kindsOfTokens(connectors.filter(({ status }) => status === 'connected'))} />}
      </Reading>
    </Page>
  );
}

function NewToken({ kinds }: { readonly kinds: readonly OfferedKind[] }) {
  const [chosen, setChosen] = useState<string>();
  const { connector }: { readonly connector?: string } = useSearch({ strict: false });
  const near = kinds.filter(({ connectorUuid }) => connectorUuid === connector);
  const [only, ...others] = near.length > 0 ? near : kinds;
  const kind = kinds.find((each) => keyOf(each) === chosen) ?? (others.length === 0 ? only : undefined);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0)
    return (
      <Panel>
        <Empty title="No connector offers tokens">
          Tokens are reached through connectors, and none of the connected ones offers any.
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
    <TokenForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} wordsOf={wordsOfKind} onChange={setChosen} />}
    />
  );
}
