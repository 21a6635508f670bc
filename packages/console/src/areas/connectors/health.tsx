// The health of a connector, checked on demand.
import { Button, Stack, Text } from '@mantine/core';
import type { HealthDto, HealthStatus } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { stateOf } from '../../ui/state.tsx';
import { healthQuery } from '../../queries/connectors.ts';

const HealthState = stateOf<HealthStatus>({
  ok: ['good', 'Healthy'],
  nok: ['bad', 'Unhealthy'],
  unknown: ['none', 'Unknown'],
});

export function Health({ uuid }: { readonly uuid: string }) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({ ...healthQuery(uuid), enabled: false });
  return (
    <Panel
      title="Health"
      actions={
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
          Check
          <span className="visually-hidden"> the health</span>
        </Button>
      }
    >
      <div role="status">
        {error ? (
          <Refusal error={error} />
        ) : data ? (
          <Stack gap="xs">
            <Facts facts={[{ name: 'Connector', value: <HealthWords health={data} /> }, ...partsOf(data)]} />
            <Text size="xs" c="dimmed">
              Checked {formatDateTime(new Date(dataUpdatedAt))}
            </Text>
          </Stack>
        ) : (
          <Text c="dimmed">Asks the connector for its health and that of its dependencies.</Text>
        )}
      </div>
    </Panel>
  );
}

function HealthWords({ health: { status, description } }: { readonly health: HealthDto }) {
  return (
    <>
      <HealthState of={status} />
      {description && <Text size="sm">{description}</Text>}
    </>
  );
}

/** Nested parts are named by their path. */
const partsOf = (health: HealthDto, prefix = ''): { name: string; value: React.ReactNode }[] =>
  Object.entries(health.parts ?? {}).flatMap(([name, part]) => [
    { name: `${prefix}${name}`, value: <HealthWords health={part} /> },
    ...partsOf(part, `${prefix}${name}: `),
  ]);
