// Dry run: lists the objects that currently match a trigger's conditions and, for all other objects, the conditions
// that failed. For a saved trigger, also lists the steps that would be rejected. Nothing is changed.
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
import { capitalize, formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { trialQuery } from '../../queries/evaluations.ts';
import { savedViewsQuery } from '../../queries/saved-views.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { codeTexts } from '../certificates/filter-text.ts';
import { ConditionLine } from '../evaluations/condition-line.tsx';
import { formatList, stepItems, describeStep } from '../evaluations/texts.ts';
import classes from './workflows.module.css';
import { itemOf } from './texts.ts';

export interface TrialPanelProps {
  readonly resource: Resource;
  readonly event: ResourceEvent | null;
  /** A saved trigger, or the conditions being entered. */
  readonly of: { readonly triggerUuid: string } | { readonly filters: readonly SearchFilterRequestDto[] };
  readonly ignores: boolean;
}

const SETTLED_MS = 400;
const DAYS = 30;
const SHOWN = 10;

type TrialScope = 'now' | 'events' | 'view';

export function TrialPanel({ resource, event, of, ignores }: TrialPanelProps) {
  const [looked, setLooked] = useState<TrialScope>('now');
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
  const choices: readonly { readonly value: TrialScope; readonly label: string; readonly disabled?: boolean }[] = [
    { value: 'now', label: 'Newest objects' },
    { value: 'events', label: `Events (${DAYS} days)`, disabled: event === null },
    ...(resource === 'certificates' && views.length > 0 ? [{ value: 'view' as const, label: 'Saved view' }] : []),
  ];
  return (
    <Panel title="Dry run">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {'triggerUuid' in of
            ? 'Evaluates the conditions for existing objects, and checks whether steps would be rejected. Nothing is changed.'
            : 'Evaluates the conditions for existing objects. Nothing is changed.'}
        </Text>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="Objects to evaluate"
          data={[...choices]}
          value={looked}
          onChange={(value) => setLooked(choices.find((choice) => choice.value === value)?.value ?? 'now')}
        />
        {looked === 'view' && (
          <Select
            aria-label="Saved view"
            placeholder="Choose a saved view"
            searchable
            data={views.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={view}
            onChange={setView}
          />
        )}
        <QueryView of={query} what="the result">
          {(trial) => <Outcome trial={trial} resource={resource} ignores={ignores} isOfEvents={looked === 'events'} />}
        </QueryView>
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
    return <Text size="sm">{isOfEvents ? 'No matching events in this period' : 'No objects to evaluate yet'}</Text>;
  return (
    <>
      <Text role="status" fw={650}>
        {`${formatCount(matched)} of ${formatCount(evaluated)} would ${ignores ? 'be ignored' : 'match'}`}
      </Text>
      {isPart && (
        <Text size="xs" c="dimmed">
          {`Only the newest ${formatCount(evaluated)} of ${formatCount(found)} were evaluated.`}
        </Text>
      )}
      <ul className={classes.tried} aria-label="Evaluated objects">
        {objects.map((object) => (
          <li key={object.uuid}>
            <Group gap="xs" justify="space-between">
              {resource === 'certificates' ? (
                <TextLink to={paths.certificates.one(object.uuid)}>{object.name || object.uuid}</TextLink>
              ) : (
                <Text size="sm">{object.name}</Text>
              )}
              {object.matched ? <State tone="good">Would match</State> : <State tone="none">Would not match</State>}
            </Group>
            {object.refusals !== undefined && object.refusals.length > 0 && (
              <Rejections refusals={object.refusals} steps={steps} />
            )}
            {!object.matched && (
              <ul className={classes.why}>
                {object.conditions
                  .filter(({ outcome }) => outcome === 'fails')
                  .map((asked) => (
                    <ConditionLine key="first" resource={resource} asked={asked} codes={codeTexts} />
                  ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface RejectionsProps {
  readonly refusals: readonly WorkflowStepRefusalDto[];
  readonly steps: WorkflowTrialDto['steps'];
}

function Rejections({ refusals, steps }: RejectionsProps) {
  const describeRejectedStep = (place: number): string => {
    const step = steps[place];
    return step ? capitalize(formatList(stepItems(step.items).map(describeStep))) || step.execution.name : 'A step';
  };
  return (
    <ul className={classes.why} aria-label="Steps that would be rejected">
      {refusals.map(({ step, triggeredBy, problem }) => (
        <li key={`${step} ${triggeredBy}`}>
          <State tone="bad">Would be rejected</State>
          <Text size="sm">{`${describeRejectedStep(step)}, with the permissions of ${triggeredBy}.`}</Text>
          <Text size="xs" c="var(--bad)">
            {problem}
          </Text>
        </li>
      ))}
    </ul>
  );
}
