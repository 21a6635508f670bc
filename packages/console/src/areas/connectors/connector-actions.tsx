// What can be done with a connector. Those of the platform itself come and go with it.
import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { notify } from '../../ui/notices.tsx';
import { Remove } from '../../ui/remove.tsx';
import { connectorQuery } from './queries.ts';
import { isBuiltIn } from './words.ts';
import type { Connector } from './shapes.ts';

export function ConnectorActions({ connector }: { readonly connector: Connector }) {
  const [removing, removal] = useDisclosure();
  const queries = useQueryClient();
  const { uuid, name } = connector;
  const builtIn = isBuiltIn(connector);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['connectors'] });
  const reconnect = useMutation({
    mutationFn: () => api.connectors.reconnectConnector({ params: { uuid } }),
    onSuccess: async () => {
      await refresh();
      notify.done(`${name} answered; this is what it offers now.`);
    },
    onError: notify.failed,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        loading={reconnect.isPending}
        onClick={() => reconnect.mutate()}
      >
        Reconnect
      </Button>
      {builtIn ? (
        <Tooltip label="It is built into the platform.">
          <Button variant="default" data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
            Remove
          </Button>
        </Tooltip>
      ) : (
        <>
          <Button
            variant="default"
            component={Link}
            to={paths.editConnector(uuid)}
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </Button>
          <Button variant="default" c="var(--bad)" onClick={removal.open}>
            Remove
          </Button>
        </>
      )}
      <Remove
        opened={removing}
        onClose={removal.close}
        name={name}
        remove={() => api.connectors.deleteConnector({ params: { uuid } })}
        force={{
          consequence:
            'What needs it stays, but without a connector: nothing can be asked of it any more. This cannot be undone.',
          remove: () => api.connectors.forceDeleteConnector({ body: [uuid] }),
        }}
        list={paths.connectors}
        queryKey={connectorQuery(uuid).queryKey}
      >
        The platform forgets its address and how it signs in there. What the connector keeps stays as it is.
      </Remove>
    </>
  );
}
