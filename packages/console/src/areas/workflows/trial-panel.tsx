// Which objects the conditions of a trigger would hold for now, and why not for the others; of a trigger that is saved
// also which steps would be refused. Nothing is done.
import { Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import type {
  Resource,
  ResourceEvent,
  SearchFilterRequestDto,
  WorkflowStepRefusalDto,
  WorkflowTrialDto,
} from '@signetry/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { capitalized, formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { trialQuery } from '../../queries/evaluations.ts';
import { savedViewsQuery } from '../../queries/saved-views.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { codeWords } from '../certificates/filter-words.ts';
import { ConditionLine } from '../evaluations/condition-line.tsx';
import { joined, stepItems, wordsOfStep } from '../evaluations/words.ts';
import classes from './workflows.module.css';
import { itemOf } from './words.ts';

export interface TrialPanelProps {
  readonly resource: Resource;
  readonly event: ResourceEvent | null;
  /** The trigger as it is saved; or conditions that are being entered. */
  readonly of: { readonly triggerUuid: string } | { readonly filters: readonly SearchFilterRequestDto[] };
  readonly ignores: boolean;
}

const SETTLED_MS = 400;
const DAYS = 30;
const SHOWN = 10;

type Looked = 'now' | 'events' | 'view';

export function TrialPanel({ resource, event, of, ignores }: TrialPanelProps) {
  const [looked, setLooked] = useState<Looked>('now');
  const [view, setView] = useState<string | null>(null);
  const [settled] = useDebouncedValue(of, SETTLED_MS);
  const { data: views = [] } = useQuery({ ...savedViewsQuery('certificates'), enabled: resource === 'certificates' });
  const query = useQuery(
    trialQuery({
      resource,
      ...('triggerUuid' in settled
        ? { triggerUuid: settled.triggerUuid }
        : { conditions: settled.filters.map(itemOf) }),
      days: DAYS,
      limit: SHOWN,
      ...(looked === 'events' && event !== null && { event }),
      ...(looked === 'view' && view !== null && { viewUuid: view }),
    }),
  );
  const choices: readonly { readonly value: Looked; readonly label: string; readonly disabled?: boolean }[] = [
    { value: 'now', label: 'The newest' },
    { value: 'events', label: `Events of ${DAYS} days`, disabled: event === null },
    ...(resource === 'certificates' && views.length > 0 ? [{ value: 'view' as const, label: 'A saved view' }] : []),
  ];
  return (
    <Panel title="Try it out">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {'triggerUuid' in of
            ? 'Asks the conditions about what is there now, and whether the steps would be refused. Nothing is done.'
            : 'Asks the conditions about what is there now. Nothing is done.'}
        </Text>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="What is tried"
          data={[...choices]}
          value={looked}
          onChange={(value) => setLooked(choices.find((choice) => choice.value === value)?.value ?? 'now')}
        />
        {looked === 'view' && (
          <Select
            aria-label="Saved view"
            placeholder="Choose a view of the inventory"
            searchable
            data={views.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={view}
            onChange={setView}
          />
        )}
        <Reading of={query} what="the outcome">
          {(trial) => <Outcome trial={trial} resource={resource} ignores={ignores} isOfEvents={looked === 'events'} />}
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
  const { found, evaluated, matched, isPart, objects, steps } = trial;
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
          {`The newest ${formatCount(evaluated)} of ${formatCount(found)} were looked at.`}
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
            {object.refusals !== undefined && object.refusals.length > 0 && (
              <Refusals refusals={object.refusals} steps={steps} />
            )}
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

interface RefusalsProps {
  readonly refusals: readonly WorkflowStepRefusalDto[];
  readonly steps: WorkflowTrialDto['steps'];
}

function Refusals({ refusals, steps }: RefusalsProps) {
  const wordsOf = (place: number): string => {
    const step = steps[place];
    return step ? capitalized(joined(stepItems(step.items).map(wordsOfStep))) || step.execution.name : 'A step';
  };
  return (
    <ul className={classes.why} aria-label="Steps that would be refused">
      {refusals.map(({ step, triggeredBy, problem }) => (
        <li key={`${step} ${triggeredBy}`}>
          <State tone="bad">Would be refused</State>
          <Text size="sm">{`${wordsOf(step)}, with the rights of ${triggeredBy}.`}</Text>
          <Text size="xs" c="var(--bad)">
            {problem}
          </Text>
        </li>
      ))}
    </ul>
  );
}
