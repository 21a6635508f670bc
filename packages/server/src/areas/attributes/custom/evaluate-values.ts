// Validates a caller's values against custom attribute definitions. No I/O.
import type { RequestAttributeDto } from '@signetry/contract';
import { checkValues, type ValueCheck } from '../check-values.ts';
import { createPatternBudget } from '../constraints.ts';
import type { ValueDefinition } from '../attribute-terms.ts';
import type { CustomDefinition } from './custom-definition.ts';

export const evaluateValues = (
  requested: readonly RequestAttributeDto[],
  known: readonly CustomDefinition[],
): ValueCheck => checkValues(requested, { current: known.map(valueDefinition), earlier: [] }, createPatternBudget());

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
  list: attribute.properties.list,
  multiSelect: attribute.properties.multiSelect,
  content: attribute.content ?? [],
  constraints: [],
});
