// Choices for a step: set a field, remove its value, or send a notification. Pure.
import type {
  AttributeContentType,
  ExecutionItemDto,
  SearchFieldDataByGroupDto,
  SearchFieldDataDto,
} from '@signetry/contract';
import { capitalize } from '../../format/names.ts';
import { isNotification } from './trigger-values.ts';
import { nameOfSetField } from '../evaluations/texts.ts';

export interface StepChoice {
  readonly key: string;
  readonly group: 'Set' | 'Remove' | 'Notifications';
  readonly label: string;
  /** Initial item of the step after this choice is selected. */
  readonly item: ExecutionItemDto;
  /** Absent if the choice has no value. */
  readonly field?: SearchFieldDataDto;
}

export const NOTIFY = 'notify';

/** Values of these types cannot be entered here. */
const notEntered: ReadonlySet<AttributeContentType> = new Set(['secret', 'file', 'credential', 'codeblock', 'object']);

export function stepChoices(groups: readonly SearchFieldDataByGroupDto[], mayNotify: boolean): readonly StepChoice[] {
  const fields = groups
    .toSorted((one, other) => Number(one.filterFieldSource === 'custom') - Number(other.filterFieldSource === 'custom'))
    .flatMap(({ filterFieldSource: fieldSource, searchFieldData = [] }) =>
      searchFieldData
        .filter(({ attributeContentType: type }) => type === undefined || !notEntered.has(type))
        .map((field) => ({ fieldSource, field })),
    );
  const labelOf = (fieldSource: StepField['fieldSource'], field: SearchFieldDataDto): string =>
    fieldSource === 'property'
      ? capitalize(nameOfSetField({ fieldSource, fieldIdentifier: field.fieldIdentifier }))
      : field.fieldLabel;
  return [
    ...fields.map(({ fieldSource, field }): StepChoice => {
      const item = { fieldSource, fieldIdentifier: field.fieldIdentifier };
      return { key: keyOf('set', item), group: 'Set', label: `Set: ${labelOf(fieldSource, field)}`, item, field };
    }),
    ...fields.map(({ fieldSource, field }): StepChoice => {
      const item = { fieldSource, fieldIdentifier: field.fieldIdentifier, data: [] };
      return { key: keyOf('clear', item), group: 'Remove', label: `Remove: ${labelOf(fieldSource, field)}`, item };
    }),
    ...(mayNotify
      ? [
          {
            key: NOTIFY,
            group: 'Notifications' as const,
            label: 'Send notification',
            item: { notificationProfileUuid: '' },
          },
        ]
      : []),
  ];
}

interface StepField {
  readonly fieldSource: SearchFieldDataByGroupDto['filterFieldSource'];
}

const keyOf = (how: 'set' | 'clear', { fieldSource, fieldIdentifier }: ExecutionItemDto): string =>
  `${how} ${fieldSource} ${fieldIdentifier}`;

export function choiceKeyOf(item: ExecutionItemDto): string {
  if (item.fieldSource === undefined || isNotification({ item })) return NOTIFY;
  return keyOf(isEmptyValue(item.data) ? 'clear' : 'set', item);
}

/** Returns whether the value is explicitly empty. Undefined means that it has not been entered yet. */
const isEmptyValue = (data: unknown): boolean => data === null || (Array.isArray(data) && data.length === 0);

/** Object that can be the value of a property. */
export interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

export const objectsIn = (value: unknown): readonly NamedObject[] =>
  Array.isArray(value) ? value.filter(isNamed) : [];

const isNamed = (value: unknown): value is NamedObject =>
  typeof value === 'object' && value !== null && 'uuid' in value && 'name' in value;

/** Returns whether the field can have multiple values. Only groups can. */
export const isMultiValued = ({ fieldIdentifier }: Pick<SearchFieldDataDto, 'fieldIdentifier'>): boolean =>
  fieldIdentifier === 'GROUP_NAME' || fieldIdentifier === 'CK_GROUP';

/** Returns the content of a custom attribute value for an input field. */
export function contentOf(data: unknown): unknown {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return typeof first === 'object' && first !== null && 'data' in first ? first.data : first;
}
