// A single evaluation as a tree: the event and its data, each trigger with its conditions, and the steps that were run.
import { Text } from '@mantine/core';
import type { EvaluatedTriggerDto, WorkflowEvaluationDto, WorkflowStepDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../../api/session.ts';
import { capitalize } from '../../format/names.ts';
import type { CodeTexts } from '../../kit/filters/filter-text.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { evaluationQuery } from '../../queries/evaluations.ts';
import { Facts } from '../../ui/facts.tsx';
import { stateOf } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ConditionLine } from './condition-line.tsx';
import classes from './evaluations.module.css';
import { stepItems, describeStep, formatList } from './texts.ts';

const StepState = stateOf<WorkflowStepDto['state']>({
  done: ['good', 'Done'],
  refused: ['bad', 'Rejected'],
  waiting: ['wait', 'Waiting'],
});

const TriggerState = stateOf<EvaluatedTriggerDto['outcome']>({
  matched: ['good', 'Matched'],
  notMatched: ['none', 'No match'],
  notAsked: ['none', 'Not evaluated'],
  aboutOthers: ['none', 'Different object type'],
});

export interface EvaluationTreeProps {
  readonly evaluation: WorkflowEvaluationDto;
  /** Shows only this trigger. */
  readonly triggerUuid: string | undefined;
  readonly codes: CodeTexts;
}

export function EvaluationTree({ evaluation, triggerUuid, codes }: EvaluationTreeProps) {
  const triggers = evaluation.triggers.filter(
    ({ trigger }) => triggerUuid === undefined || trigger.uuid === triggerUuid,
  );
  return (
    <div className={classes.tree}>
      <QueryView of={useQuery(evaluationQuery(evaluation.uuid))} what="the event">
        {({ data = {} }) => <EventData data={data} />}
      </QueryView>
      {triggers.map((asked) => (
        <EvaluatedTrigger key={asked.trigger.uuid} asked={asked} evaluation={evaluation} codes={codes} />
      ))}
    </div>
  );
}

/** Omits the UUIDs of other objects; the data also contains their names. */
function EventData({ data }: { readonly data: Readonly<Record<string, unknown>> }) {
  const facts = Object.entries(data)
    .filter(([name, value]) => !/uuid$/i.test(name) && (typeof value === 'string' || typeof value === 'number'))
    .map(([name, value]) => ({ name: describeMember(name), value: String(value) }));
  if (facts.length === 0) return null;
  return (
    <details className={classes.data}>
      <summary>Event data</summary>
      <Facts facts={facts} />
    </details>
  );
}

/** Formats `issuerDn` as `Issuer DN`. */
const describeMember = (name: string): string =>
  capitalize(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).replace(/ dn$/, ' DN');

interface EvaluatedTriggerProps extends Omit<EvaluationTreeProps, 'triggerUuid'> {
  readonly asked: EvaluatedTriggerDto;
}

function EvaluatedTrigger({ asked, evaluation: { resource }, codes }: EvaluatedTriggerProps) {
  const { trigger, ignoreTrigger, outcome, conditions, steps, triggeredBy } = asked;
  const maySee = useMayList()('triggers');
  return (
    <div className={classes.trigger}>
      <div className={classes.head}>
        {maySee ? (
          <TextLink to={paths.automation.one(trigger.uuid)}>{trigger.name}</TextLink>
        ) : (
          <bdi>{trigger.name}</bdi>
        )}
        <TriggerState of={outcome} />
      </div>
      {conditions.length > 0 && (
        <ul className={classes.lines} aria-label={`Conditions of ${trigger.name}`}>
          {conditions.map((condition, place) => (
            // oxlint-disable-next-line no-array-index-key -- a condition is its place
            <ConditionLine key={place} resource={resource} asked={condition} codes={codes} />
          ))}
        </ul>
      )}
      {outcome === 'matched' && ignoreTrigger && <Text size="sm">The object was ignored.</Text>}
      {steps.length > 0 && (
        <ul className={classes.lines} aria-label={`Steps of ${trigger.name}`}>
          {steps.map((step, place) => (
            // oxlint-disable-next-line no-array-index-key -- a step is its place
            <StepLine key={place} step={step} />
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <Text size="xs" c="dimmed">
          {`Run with the permissions of ${triggeredBy}.`}
        </Text>
      )}
    </div>
  );
}

const StepLine = ({ step: { execution, items, state, problem } }: { readonly step: WorkflowStepDto }) => (
  <li className={classes.line}>
    <StepState of={state} />
    <span>
      {capitalize(formatList(stepItems(items).map(describeStep))) || execution.name}
      {problem !== undefined && (
        <Text span size="xs" c="var(--bad)" className={classes.below}>
          {problem}
        </Text>
      )}
    </span>
  </li>
);
