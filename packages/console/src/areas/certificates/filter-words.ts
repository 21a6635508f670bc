// Filters in words.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { DAY_MS, formatDate, formatDateTime } from '../../format/dates.ts';
import { capitalized } from '../../format/names.ts';
import { isEnded } from './filters.ts';
import { stateWords, validationWords } from './words.ts';

/** `State: Issued or Revoked`; also for filters that only the address can have. */
export function wordsOfFilter(filter: SearchFilterRequestDto): string {
  const { fieldIdentifier: field, condition, value } = filter;
  if (field === 'NOT_AFTER') return wordsOfEnd(filter) ?? wordsOfAny(filter);
  if (field === 'SUCCEEDING_CERTIFICATES' && condition === 'EMPTY') return 'Not replaced by another certificate';
  const known = fieldWords[field];
  if (known === undefined || condition !== 'EQUALS') return wordsOfAny(filter);
  return `${known.name}: ${listed(value).map((each) => known.values[each] ?? each).join(' or ')}`; // prettier-ignore
}

interface FieldWords {
  readonly name: string;
  /** Of its codes; a code without words stands for itself. */
  readonly values: Readonly<Record<string, string>>;
}

const fieldWords: Readonly<Record<string, FieldWords>> = {
  CERTIFICATE_STATE: { name: 'State', values: stateWords },
  CERTIFICATE_VALIDATION_STATUS: { name: 'Validation', values: validationWords },
  PUBLIC_KEY_ALGORITHM: { name: 'Key algorithm', values: {} },
};

function wordsOfEnd(filter: SearchFilterRequestDto): string | undefined {
  const { condition, value } = filter;
  if (typeof value !== 'string') return undefined;
  if (isEnded(filter)) return 'Expired';
  const days = /^P(\d+)D$/.exec(value)?.[1];
  if (condition === 'IN_NEXT' && days !== undefined) return `Expires within ${days} days`;
  if (Number.isNaN(Date.parse(value))) return undefined;
  const instant = Date.parse(value) % DAY_MS === 0 ? formatDate(value) : formatDateTime(value);
  if (condition === 'LESSER') return `Expires before ${instant}`;
  return condition === 'GREATER_OR_EQUAL' ? `Expires on or after ${instant}` : undefined;
}

/** `RA profile name contains web`: the identifier and the operator of the interface, readable. */
function wordsOfAny({ fieldIdentifier, condition, value }: SearchFilterRequestDto): string {
  const field = capitalized(fieldIdentifier.replaceAll('_', ' ').toLowerCase()).replace(/^Ra /, 'RA ');
  return [field, condition.replaceAll('_', ' ').toLowerCase(), listed(value).join(' or ')].join(' ').trim();
}

const listed = (value: unknown): readonly string[] => {
  if (value === undefined || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
};
