// The endpoint that serves the certificates of a location. It is checked after each installation, and here on request.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { LocationProbe } from '@signetry/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatSeconds } from '../../format/durations.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { useMay } from '../../kit/use-may.ts';
import type { LocationDetail, Probe } from '../../queries/entities.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { locationPathOf } from './location-actions.tsx';
import { requiredLocationRights } from './location-path.ts';
import { ProbeDialog, startTlsTexts, defaultProbe } from './probe-dialog.tsx';
import { ServedResult } from './served.tsx';

interface ProbePanelProps {
  readonly location: LocationDetail;
  /** Absent if no endpoint is set. */
  readonly probe: Probe | undefined;
}

export function ProbePanel({ location, probe }: ProbePanelProps) {
  return (
    <Panel title="Endpoint" actions={<ProbeActions location={location} probe={probe} />}>
      {probe ? (
        <Stack gap="md">
          <Facts facts={factsOf({ ...defaultProbe, ...probe })} />
          <EndpointCheck location={location} />
        </Stack>
      ) : (
        <Text c="dimmed">
          No endpoint is set. With an endpoint, such as www.example.com on port 443, an installation is complete only
          when the endpoint serves the new certificate; otherwise the previous certificate can be restored.
        </Text>
      )}
    </Panel>
  );
}

const factsOf = ({ host, port, serverName, startTls, timeoutSeconds, restorePrevious }: LocationProbe) => [
  { name: 'Address', value: `${host.includes(':') ? `[${host}]` : host}, port ${port}` },
  { name: 'Server name (SNI)', value: serverName },
  { name: 'TLS', value: startTls && `after STARTTLS (${startTlsTexts[startTls]})` },
  { name: 'Timeout', value: `${formatSeconds(timeoutSeconds)} after an installation` },
  {
    name: 'If not served',
    value: restorePrevious ? 'the previous certificate is restored' : 'the new certificate stays',
  },
];

function ProbeActions({ location, probe }: ProbePanelProps) {
  const place = locationPathOf(location);
  const needs = requiredLocationRights(place, 'update');
  const edit: Action = {
    label: probe ? 'Edit' : 'Set endpoint',
    ...(probe && { name: 'Edit endpoint' }),
    needs,
    dialog: ({ opened, onClose }) => opened && <ProbeDialog location={location} probe={probe} onClose={onClose} />,
  };
  const remove: Action = {
    label: 'Remove',
    name: 'Remove endpoint',
    isGrave: true,
    needs,
    run: () => api.locationDeployment.removeLocationProbe({ params: place }),
    done: 'The endpoint was removed.',
    refresh: ['locations'],
    ask: {
      title: 'Remove the endpoint?',
      children:
        'Certificates then count as installed as soon as the provider reports them, without a check of the endpoint.',
      keep: 'Keep it',
    },
  };
  return (
    <Group gap="xs">
      <ActionButton size="compact-sm" action={edit} />
      {probe && <ActionButton size="compact-sm" action={remove} />}
    </Group>
  );
}

/** Shows what the endpoint currently serves. */
function EndpointCheck({ location }: Pick<ProbePanelProps, 'location'>) {
  const place = locationPathOf(location);
  const queries = useQueryClient();
  const look = useMutation({
    mutationFn: () => api.locationDeployment.probeLocation({ params: place }),
    // If the endpoint serves one of the certificates, the platform records this.
    onSettled: () => queries.invalidateQueries({ queryKey: ['locations'] }),
  });
  if (!useMay()(requiredLocationRights(place, 'update'))) return null;
  return (
    <Stack gap="md" align="stretch">
      <div>
        <Button variant="default" size="xs" loading={look.isPending} onClick={() => look.mutate()}>
          Check now
        </Button>
      </div>
      <Rejection error={look.error} />
      <div role="status">{look.data && <ServedResult now={look.data} />}</div>
    </Stack>
  );
}
