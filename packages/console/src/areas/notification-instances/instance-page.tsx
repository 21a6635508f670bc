// Page for a single notification provider: its settings, without secrets, and actions for testing it.
import { Text } from '@mantine/core';
import type { NotificationInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { notificationInstanceQuery } from '../../queries/notification-instances.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { connectorOf, kindOf } from './kinds.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

interface InstanceProps {
  readonly instance: NotificationInstanceDto;
}

export function NotificationInstancePage() {
  return (
    <ObjectPage
      query={useQuery(notificationInstanceQuery(useUuid()))}
      what="the notification provider"
      parent={{ to: paths.notificationInstances.list, label: 'Notification providers' }}
      description={({ description }) => description}
      actions={(instance) => <InstanceActions instance={instance} />}
      main={(instance) => (
        <Panel title="Settings">
          <Settings instance={instance} />
        </Panel>
      )}
      side={(instance) => <Side instance={instance} />}
    />
  );
}

function InstanceActions({ instance }: InstanceProps) {
  const { uuid, name } = instance;
  const isReachable = connectorOf(instance).uuid !== undefined;
  return (
    <Actions
      actions={[
        isReachable && {
          label: 'Send test',
          isPrimary: true,
          needs: ['notificationInstances', 'update', uuid],
          dialog: ({ opened, onClose }) => opened && <TestDialog instance={instance} onClose={onClose} />,
        },
        isReachable && {
          label: 'Preview',
          needs: ['notificationInstances', 'detail', uuid],
          dialog: ({ opened, onClose }) => opened && <PreviewDialog instance={instance} onClose={onClose} />,
        },
        isReachable && editAction(paths.notificationInstances.edit(uuid), ['notificationInstances', 'update', uuid]),
        removeAction({
          name,
          needs: ['notificationInstances', 'delete', uuid],
          remove: () => api.notificationInstances.deleteNotificationInstance({ params: { uuid } }),
          consequence:
            'This cannot be undone. A provider that is used by a version of a notification profile cannot be removed.',
          list: paths.notificationInstances.list,
          queryKey: notificationInstanceQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

/** Uses the order and headings of the form once the definitions are loaded. */
function Settings({ instance }: InstanceProps) {
  const connectors = useQuery(connectorListQuery);
  const definitions = useQuery(kindDefinitionsQuery(kindOf(instance, connectors.data ?? [])));
  if (instance.attributes.length > 0)
    return <AttributeFacts values={instance.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">No settings. The connector defaults apply.</Text>;
}

function Side({ instance }: InstanceProps) {
  const { uuid, kind, attributeMappings = [] } = instance;
  const connector = connectorOf(instance);
  return (
    <>
      <Panel title="Provider">
        <Facts
          facts={[
            { name: 'Kind', value: describeKind(kind) },
            {
              name: 'Connector',
              value:
                connector.uuid === undefined ? (
                  'Removed; nothing can be sent'
                ) : (
                  <TextLink to={paths.connectors.one(connector.uuid)}>{connector.name}</TextLink>
                ),
            },
            identifierFact(uuid),
          ]}
        />
      </Panel>
      {attributeMappings.length > 0 && (
        <Panel title="Recipients">
          <Facts
            facts={attributeMappings.map(({ mappingAttributeName, customAttributeLabel }) => ({
              name: mappingAttributeName,
              value: customAttributeLabel,
            }))}
          />
        </Panel>
      )}
    </>
  );
}
