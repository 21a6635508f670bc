// An evaluated condition: whether it was met, and the value that it was compared with.
import { Text } from '@mantine/core';
import type { EvaluatedConditionDto, Resource } from '@signetry/contract';
import { capitalized } from '../../format/names.ts';
import { clauseOf, valuesInWords } from '../../kit/filters/clause-words.ts';
import type { CodeWords } from '../../kit/filters/filter-words.ts';
import { stateOf } from '../../ui/state.tsx';
import classes from './evaluations.module.css';

export type AskedCondition = Omit<EvaluatedConditionDto, 'condition' | 'rule'>;

const ConditionState = stateOf<EvaluatedConditionDto['outcome']>({
  holds: ['good', 'Met'],
  fails: ['bad', 'Not met'],
  notReached: ['none', 'Not evaluated'],
});

export interface ConditionLineProps {
  readonly resource: Resource;
  readonly asked: AskedCondition;
  readonly codes: CodeWords;
}

export function ConditionLine({ resource, asked, codes }: ConditionLineProps) {
  const { operator: condition, outcome, actual, ...item } = asked;
  const filter = { ...item, condition };
  return (
    <li className={classes.line}>
      <ConditionState of={outcome} />
      <span>
        {capitalized(clauseOf(resource, filter, codes))}
        {outcome !== 'notReached' && actual !== undefined && (
          <Text span size="xs" c="dimmed" className={classes.below}>
            {`Actual value: ${valuesInWords(resource, { ...filter, value: actual }, codes)}`}
          </Text>
        )}
      </span>
    </li>
  );
}
