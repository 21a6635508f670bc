// Judges the values that a caller sent against the definitions of custom attributes. No I/O.
import type { RequestAttributeDto } from '@signetry/contract';
import type { Clock } from '../../../kernel/clock.ts';
import { checkValues, type ValueCheck } from '../check-values.ts';
import { createPatternBudget } from '../constraints.ts';
import type { ValueDefinition } from '../domain.ts';
import { customValueProblems, type CustomDefinition } from './domain.ts';

export function judge(
  requested: readonly RequestAttributeDto[],
  known: readonly CustomDefinition[],
  clock: Pick<Clock, 'monotonicMs'>,
): ValueCheck {
  const budget = createPatternBudget(() => clock.monotonicMs());
  const { problems, accepted } = checkValues(requested, { current: known.map(valueDefinition), earlier: [] }, budget);
  const byName = new Map(known.map((definition) => [definition.attribute.name, definition]));
  return { problems: [...problems, ...customValueProblems(requested, byName)], accepted };
}

export const withoutRequired = ({ attribute, ...definition }: CustomDefinition): CustomDefinition => ({
  ...definition,
  attribute: { ...attribute, properties: { ...attribute.properties, required: false } },
});

const valueDefinition = ({ attribute }: CustomDefinition): ValueDefinition => ({
  uuid: attribute.uuid,
  name: attribute.name,
  label: attribute.properties.label,
  contentType: attribute.contentType,
  required: attribute.properties.required,
  readOnly: attribute.properties.readOnly,
  content: attribute.content ?? [],
  constraints: [],
});
