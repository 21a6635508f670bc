// Reads filters from a list URL. The platform validates them; this only ensures that they can be displayed.
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
