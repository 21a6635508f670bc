// Editing a notification provider. Secrets that are not replaced stay.
import type { NotificationInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { notificationInstanceQuery } from '../../queries/notification-instances.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { OfferedKind } from '../connectors/kinds.ts';
import { NotificationInstanceForm } from './instance-form.tsx';
import { kindOf } from './kinds.ts';

export function EditNotificationInstancePage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage
      query={useQuery(notificationInstanceQuery(useUuid()))}
      what="the notification provider"
      paths={paths.notificationInstances}
      description="The next delivery uses the new settings, also one that waits to be tried again."
    >
      {(instance) => (
        <Reading of={connectors} what="the connector" inPanel>
          {(connectors) => <EditForm instance={instance} kind={kindOf(instance, connectors)} />}
        </Reading>
      )}
    </EditPage>
  );
}

interface EditFormProps {
  readonly instance: NotificationInstanceDto;
  /** Absent if its connector was removed. */
  readonly kind: OfferedKind | undefined;
}

function EditForm({ instance, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This provider cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the settings of the provider" inPanel>
      {(definitions) => <NotificationInstanceForm kind={kind} definitions={definitions} instance={instance} />}
    </Reading>
  );
}
