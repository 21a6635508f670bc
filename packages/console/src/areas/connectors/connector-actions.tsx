// What can be done with a connector. Built-in ones are part of the platform and cannot be removed.
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { connectorQuery } from '../../queries/connectors.ts';
import type { Connector } from './shapes.ts';
import { isBuiltIn } from './words.ts';

export function ConnectorActions({ connector }: { readonly connector: Connector }) {
  const { uuid, name, url, status } = connector;
  const isWaiting = status === 'waitingForApproval';
  const builtIn = isBuiltIn(connector);
  return (
    <Actions
      actions={[
        isWaiting && {
          label: 'Approve',
          icon: IconCheck,
          isPrimary: true,
          needs: ['connectors', 'approve', uuid],
          run: () => api.connectors.approveConnector({ params: { uuid } }),
          done: `${name} answered and is approved.`,
          refresh: ['connectors'],
          ask: {
            title: `Approve ${name}?`,
            children: `The platform calls ${url}, with the credentials that came with the registration, and uses what it offers.`,
            keep: 'Not now',
          },
        },
        !isWaiting && {
          label: 'Reconnect',
          icon: IconRefresh,
          needs: ['connectors', 'connect', uuid],
          run: () => api.connectors.reconnectConnector({ params: { uuid } }),
          done: `${name} answered. Its functions are up to date.`,
          refresh: ['connectors'],
        },
        !builtIn && editAction(paths.connectors.edit(uuid), ['connectors', 'update', uuid]),
        builtIn
          ? { label: 'Remove', needs: ['connectors', 'delete', uuid], why: 'It is built into the platform.' }
          : removeAction({
              name,
              needs: ['connectors', 'delete', uuid],
              remove: () => api.connectors.deleteConnector({ params: { uuid } }),
              consequence: 'The platform deletes its address and credentials. Data held by the connector stays there.',
              force: {
                consequence:
                  'Objects that depend on it are kept, but do not work without a connector. This cannot be undone.',
                remove: () => api.connectors.forceDeleteConnector({ body: [uuid] }),
              },
              list: paths.connectors.list,
              queryKey: connectorQuery(uuid).queryKey,
            }),
      ]}
    />
  );
}
