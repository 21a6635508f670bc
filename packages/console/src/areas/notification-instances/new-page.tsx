// A new notification provider: its kind decides which further fields there are.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from '../connectors/kind-field.tsx';
import { keyOf, wordsOfKind, type OfferedKind } from '../connectors/kinds.ts';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindsOf } from './kinds.ts';

export function NewNotificationInstancePage() {
  return (
    <Page
      title="New notification provider"
      description="Nothing is sent yet: try it afterwards, then name it in a notification profile."
      parent={{ to: paths.notificationInstances.list, label: 'Notification providers' }}
    >
      <Reading of={useQuery(connectorListQuery)} what="the kinds of notifications" inPanel>
        {(connectors) => <NewInstance kinds={kindsOf(connectors.filter(({ status }) => status === 'connected'))} />}
      </Reading>
    </Page>
  );
}

function NewInstance({ kinds }: { readonly kinds: readonly OfferedKind[] }) {
  const [chosen, setChosen] = useState<string>();
  const kind = kinds.length === 1 ? kinds[0] : kinds.find((each) => keyOf(each) === chosen);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0)
    return (
      <Panel>
        <Empty title="No connector offers notifications">
          Notifications leave the platform through connectors, and none of the connected ones offers any.
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
    <NotificationInstanceForm
      kind={definitions.data && kind}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      kindField={<KindField kinds={kinds} kind={kind} wordsOf={wordsOfKind} onChange={setChosen} />}
    />
  );
}
