// Filters from the address of a list. The platform validates them; here they only have to be such that they can be told
// in words.
import type { SearchFilterRequestDto } from '@signetry/contract';

export function readFilters(given: unknown): { readonly filters?: readonly SearchFilterRequestDto[] } {
  const filters = Array.isArray(given) ? given.filter(isFilter) : [];
  return filters.length > 0 ? { filters } : {};
}

const isFilter = (given: unknown): given is SearchFilterRequestDto =>
  typeof given === 'object' &&
  given !== null &&
  typeof Reflect.get(given, 'fieldIdentifier') === 'string' &&
  typeof Reflect.get(given, 'condition') === 'string';
