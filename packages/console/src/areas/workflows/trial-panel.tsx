// Beside the form of a trigger: which objects its conditions would hold for now, and why not for the others. Nothing is
// done.
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Resource, ResourceEvent, SearchFilterRequestDto, WorkflowTrialDto } from '@signetry/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { trialQuery } from '../../queries/evaluations.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { codeWords } from '../certificates/filter-words.ts';
import { ConditionLine } from '../evaluations/condition-line.tsx';
import classes from './workflows.module.css';
import { itemOf } from './words.ts';

export interface TrialPanelProps {
  readonly resource: Resource;
  readonly event: ResourceEvent | null;
  readonly filters: readonly SearchFilterRequestDto[];
  readonly ignores: boolean;
}

const SETTLED_MS = 400;
const DAYS = 30;
const SHOWN = 10;

export function TrialPanel({ resource, event, filters, ignores }: TrialPanelProps) {
  const [of, setOf] = useState<'now' | 'events'>('now');
  const [conditions] = useDebouncedValue(filters, SETTLED_MS);
  const query = useQuery(
    trialQuery({
      resource,
      conditions: conditions.map(itemOf),
      days: DAYS,
      limit: SHOWN,
      ...(of === 'events' && event !== null && { event }),
    }),
  );
  return (
    <Panel title="Try it out">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Asks the conditions about what is there now. Nothing is done.
        </Text>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="What is tried"
          data={[
            { value: 'now', label: 'The newest' },
            { value: 'events', label: `Events of ${DAYS} days` },
          ]}
          disabled={event === null}
          value={of}
          onChange={(value) => setOf(value === 'events' ? 'events' : 'now')}
        />
        <Reading of={query} what="the outcome">
          {(trial) => <Outcome trial={trial} resource={resource} ignores={ignores} isOfEvents={of === 'events'} />}
        </Reading>
      </Stack>
    </Panel>
  );
}

interface OutcomeProps {
  readonly trial: WorkflowTrialDto;
  readonly resource: Resource;
  readonly ignores: boolean;
  readonly isOfEvents: boolean;
}

function Outcome({ trial, resource, ignores, isOfEvents }: OutcomeProps) {
  const { evaluated, matched, isPart, objects } = trial;
  if (evaluated === 0)
    return (
      <Text size="sm">{isOfEvents ? 'It has not happened in this time.' : 'There is nothing to try it on yet.'}</Text>
    );
  return (
    <>
      <Text role="status" fw={650}>
        {`${formatCount(matched)} of ${formatCount(evaluated)} would ${ignores ? 'be left alone' : 'match'}`}
      </Text>
      {isPart && (
        <Text size="xs" c="dimmed">
          There are more; the newest were looked at.
        </Text>
      )}
      <ul className={classes.tried} aria-label="Objects tried">
        {objects.map((object) => (
          <li key={object.uuid}>
            <Group gap="xs" justify="space-between">
              {resource === 'certificates' ? (
                <TextLink to={paths.certificates.one(object.uuid)}>{object.name || object.uuid}</TextLink>
              ) : (
                <Text size="sm">{object.name}</Text>
              )}
              {object.matched ? <State tone="good">Would match</State> : <State tone="none">Would not</State>}
            </Group>
            {!object.matched && (
              <ul className={classes.why}>
                {object.conditions
                  .filter(({ outcome }) => outcome === 'fails')
                  .map((asked) => (
                    <ConditionLine key="first" resource={resource} asked={asked} codes={codeWords} />
                  ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
