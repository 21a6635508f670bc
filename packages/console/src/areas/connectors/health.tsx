// How a connector is, asked when somebody wants to know.
import { Button, Stack, Text } from '@mantine/core';
import type { HealthDto, HealthStatus } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { State, type Tone } from '../../ui/state.tsx';
import { healthQuery } from '../../queries/connectors.ts';

const states: Readonly<Record<HealthStatus, { readonly tone: Tone; readonly word: string }>> = {
  ok: { tone: 'good', word: 'Works' },
  nok: { tone: 'bad', word: 'Does not work' },
  unknown: { tone: 'none', word: 'Not known' },
};

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
              As it said {formatDateTime(new Date(dataUpdatedAt))}
            </Text>
          </Stack>
        ) : (
          <Text c="dimmed">Ask the connector how it is and what it depends on.</Text>
        )}
      </div>
    </Panel>
  );
}

function HealthWords({ health }: { readonly health: HealthDto }) {
  const { tone, word } = states[health.status];
  return (
    <>
      <State tone={tone}>{word}</State>
      {health.description && <Text size="sm">{health.description}</Text>}
    </>
  );
}

/** Parts of parts are named by the way to them. */
const partsOf = (health: HealthDto, prefix = ''): { name: string; value: React.ReactNode }[] =>
  Object.entries(health.parts ?? {}).flatMap(([name, part]) => [
    { name: `${prefix}${name}`, value: <HealthWords health={part} /> },
    ...partsOf(part, `${prefix}${name}: `),
  ]);
