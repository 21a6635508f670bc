// An evaluated condition: whether it was met, and the value that it was compared with.
import { Text } from '@mantine/core';
import type { EvaluatedConditionDto, Resource } from '@signetry/contract';
import { capitalize } from '../../format/names.ts';
import { clauseOf, describeFilterValues } from '../../kit/filters/clause-text.ts';
import type { CodeTexts } from '../../kit/filters/filter-text.ts';
import { stateOf } from '../../ui/state.tsx';
import classes from './evaluations.module.css';

export type EvaluatedCondition = Omit<EvaluatedConditionDto, 'condition' | 'rule'>;

const ConditionState = stateOf<EvaluatedConditionDto['outcome']>({
  holds: ['good', 'Met'],
  fails: ['bad', 'Not met'],
  notReached: ['none', 'Not evaluated'],
});

export interface ConditionLineProps {
  readonly resource: Resource;
  readonly asked: EvaluatedCondition;
  readonly codes: CodeTexts;
}

export function ConditionLine({ resource, asked, codes }: ConditionLineProps) {
  const { operator: condition, outcome, actual, ...item } = asked;
  const filter = { ...item, condition };
  return (
    <li className={classes.line}>
      <ConditionState of={outcome} />
      <span>
        {capitalize(clauseOf(resource, filter, codes))}
        {outcome !== 'notReached' && actual !== undefined && (
          <Text span size="xs" c="dimmed" className={classes.below}>
            {`Actual value: ${describeFilterValues(resource, { ...filter, value: actual }, codes)}`}
          </Text>
        )}
      </span>
    </li>
  );
}
