// Connector actions. Built-in connectors are part of the platform and cannot be removed.
import { IconCheck, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { Actions } from '../../kit/actions.tsx';
import type { Dependent } from '../../kit/dependent-names.tsx';
import { paths, type ObjectPaths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { authorityListQuery } from '../../queries/authorities.ts';
import { connectorQuery } from '../../queries/connectors.ts';
import { credentialListQuery } from '../../queries/credentials.ts';
import type { Connector } from './shapes.ts';
import { isBuiltIn } from './texts.ts';

export function ConnectorActions({ connector }: { readonly connector: Connector }) {
  const { uuid, name, url, status } = connector;
  const isWaiting = status === 'waitingForApproval';
  const builtIn = isBuiltIn(connector);
  const dependents = useDependents(uuid);
  return (
    <Actions
      actions={[
        isWaiting && {
          label: 'Approve',
          icon: IconCheck,
          isPrimary: true,
          needs: ['connectors', 'approve', uuid],
          run: () => api.connectors.approveConnector({ params: { uuid } }),
          done: `${name} responded and was approved.`,
          refresh: ['connectors'],
          ask: {
            title: `Approve ${name}?`,
            children: `The platform connects to ${url} with the credentials from the registration, and uses the functions it offers.`,
            keep: 'Not now',
          },
        },
        !isWaiting && {
          label: 'Reconnect',
          icon: IconRefresh,
          needs: ['connectors', 'connect', uuid],
          run: () => api.connectors.reconnectConnector({ params: { uuid } }),
          done: `${name} responded. Its functions are up to date.`,
          refresh: ['connectors'],
        },
        !builtIn && editAction(paths.connectors.edit(uuid), ['connectors', 'update', uuid]),
        builtIn
          ? { label: 'Remove', needs: ['connectors', 'delete', uuid], why: 'Built-in connectors cannot be removed.' }
          : removeAction({
              name,
              needs: ['connectors', 'delete', uuid],
              remove: () => api.connectors.deleteConnector({ params: { uuid } }),
              consequence: 'The platform deletes its URL and credentials. Data stored by the connector is kept there.',
              force: {
                consequence: 'Dependent objects are kept, but do not work without a connector. This cannot be undone.',
                remove: () => api.connectors.forceDeleteConnector({ body: [uuid] }),
                dependents,
              },
              list: paths.connectors.list,
              queryKey: connectorQuery(uuid).queryKey,
            }),
      ]}
    />
  );
}

/** Returns the objects that depend on the connector and that the user can list. */
function useDependents(connectorUuid: string): readonly Dependent[] {
  const mayList = useMayList();
  const { data: authorities = [] } = useQuery({ ...authorityListQuery, enabled: mayList('authorities') });
  const { data: credentials = [] } = useQuery({ ...credentialListQuery, enabled: mayList('credentials') });
  const toDependents = (pages: ObjectPaths, objects: readonly DependentObject[]) =>
    objects
      .filter((object) => object.connectorUuid === connectorUuid)
      .map(({ uuid, name }) => ({ name, to: pages.one(uuid) }));
  return [...toDependents(paths.authorities, authorities), ...toDependents(paths.credentials, credentials)];
}

interface DependentObject {
  readonly uuid: string;
  readonly name: string;
  readonly connectorUuid?: string | undefined;
}
