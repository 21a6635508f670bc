// Rule conditions, which are filters with different member names, and the fields available for each kind of object.
import {
  platformEnums,
  propertyFields,
  type ConditionItemDto,
  type SearchFieldDataByGroupDto,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import { describeFilter } from '../../kit/filters/filter-text.ts';
import { codeTexts } from '../certificates/filter-text.ts';

export type Subject = 'certificates' | 'certificateRequests' | 'keys';

export const subjectTexts: Readonly<Record<Subject, string>> = {
  certificates: 'Certificates',
  certificateRequests: 'Requests, before issuance',
  keys: 'Keys',
};

export const isSubject = (resource: string): resource is Subject => Object.hasOwn(subjectTexts, resource);

export const filterOf = ({ operator: condition, ...item }: ConditionItemDto): SearchFilterRequestDto => ({
  ...item,
  condition,
});

export const conditionOf = ({ condition: operator, ...filter }: SearchFilterRequestDto): ConditionItemDto => ({
  ...filter,
  operator,
});

export const describeConditions = (subject: Subject, items: readonly ConditionItemDto[]): readonly string[] =>
  items.map((item) => describeFilter(subject, filterOf(item), codeTexts));

/** Fields that are not evaluated for requests yet. */
const UNKNOWN_TO_REQUESTS: ReadonlySet<string> = new Set(['CERT_REQUEST_KEY_USAGE']);

/** Defined here because there is no list operation for requests that would return their search fields. */
export const requestFields: readonly SearchFieldDataByGroupDto[] = [
  {
    filterFieldSource: 'property',
    searchFieldData: Object.entries(propertyFields.certificateRequests)
      .filter(([identifier]) => !UNKNOWN_TO_REQUESTS.has(identifier))
      .map(([fieldIdentifier, { label, type, conditions, multiValue, platformEnum }]) => ({
        fieldIdentifier,
        fieldLabel: label,
        // If there are no values to choose from, the value is entered as text.
        type: type === 'list' && platformEnum === undefined ? 'string' : type,
        conditions: [...conditions],
        multiValue,
        ...(platformEnum && { platformEnum, value: Object.keys(platformEnums[platformEnum].labels) }),
      })),
  },
];
