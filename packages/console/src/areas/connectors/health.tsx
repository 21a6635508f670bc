// Health of a connector, checked on demand.
import { Button, Stack, Text } from '@mantine/core';
import type { HealthDto, HealthStatus } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { Panel } from '../../ui/panel.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import { stateOf } from '../../ui/state.tsx';
import { healthQuery } from '../../queries/connectors.ts';
import classes from './health.module.css';

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
          <span className="visually-hidden"> health</span>
        </Button>
      }
    >
      <div role="status">
        {error ? (
          <Rejection error={error} />
        ) : data ? (
          <Stack gap="xs">
            <div>
              <Part name="Connector" health={data} />
            </div>
            <Text size="xs" c="dimmed">
              Checked {formatDateTime(new Date(dataUpdatedAt))}
            </Text>
          </Stack>
        ) : (
          <Text c="dimmed">Queries the health of the connector and its dependencies.</Text>
        )}
      </div>
    </Panel>
  );
}

interface PartProps {
  readonly name: string;
  readonly health: HealthDto;
}

/** Health of a component and its dependencies, down to the level that the connector reports. */
function Part({ name, health: { status, description, parts = {} } }: PartProps) {
  const members = Object.entries(parts);
  return (
    <>
      <div className={classes.part}>
        <Text fw={550} dir="auto" className={classes.name}>
          {name}
        </Text>
        <HealthState of={status} />
        {description && (
          <Text size="sm" c="dimmed" dir="auto" className={classes.description}>
            {description}
          </Text>
        )}
      </div>
      {members.length > 0 && (
        <ul className={classes.parts} aria-label={`Dependencies of ${name}`}>
          {members.map(([part, health]) => (
            <li key={part}>
              <Part name={part} health={health} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
