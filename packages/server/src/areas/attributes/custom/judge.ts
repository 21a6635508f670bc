// Judges the values that a caller sent against the definitions of custom attributes. No I/O.
import type { RequestAttributeDto } from '@signetry/contract';
import { checkValues, type ValueCheck } from '../check-values.ts';
import { createPatternBudget } from '../constraints.ts';
import type { ValueDefinition } from '../domain.ts';
import { customValueProblems, type CustomDefinition } from './domain.ts';

export function judge(requested: readonly RequestAttributeDto[], known: readonly CustomDefinition[]): ValueCheck {
  const { problems, accepted } = checkValues(
    requested,
    { current: known.map(valueDefinition), earlier: [] },
    createPatternBudget(),
  );
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
