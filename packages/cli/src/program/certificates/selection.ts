// Search filters shared by commands that act on multiple certificates.
import { CertificateState } from '@signetry/contract';
import type { Flags, FlagValues } from '../command-line/command.ts';
import { fieldFilter, fieldOf, type Filter } from '../command-line/field-filter.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';

export const selectionFlags = {
  filter: {
    value: 'TEXT',
    many: true,
    about: 'Text in the common name, or FIELD=VALUE for a search field, e.g. OWNER=admin',
  },
  state: { value: 'STATE', many: true, choices: CertificateState.options, about: 'State' },
  expiring: { value: 'DAYS', about: 'Only certificates that expire within this number of days' },
} as const satisfies Flags;

export const SELECTION_DETAIL = 'All conditions must match; multiple --state values match any of them.';

const MAX_DAYS = 36_500;

export function filtersOf({ filter, state, expiring }: FlagValues<typeof selectionFlags>): Filter[] {
  const filters: Filter[] = filter.map(textFilter);
  if (state.length > 0) filters.push(property('CERTIFICATE_STATE', { condition: 'EQUALS', value: [...state] }));
  if (expiring !== undefined) {
    const days = parseWholeNumber('--expiring', { text: expiring, min: 1, max: MAX_DAYS });
    filters.push(property('NOT_AFTER', { condition: 'IN_NEXT', value: `P${days}D` }));
  }
  return filters;
}

const property = fieldOf('certificates');

const textFilter = (text: string): Filter =>
  fieldFilter('certificates', { text, objects: 'Certificates' }) ??
  property('COMMON_NAME', { condition: 'CONTAINS', value: text });
