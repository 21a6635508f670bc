// Filters of the inventory that links and quick filters use. They are part of the URL like any other filter.
import type { SearchFilterRequestDto } from '@signetry/contract';
import type { CertificateSearch } from '../../queries/certificate-search.ts';

type Condition = SearchFilterRequestDto['condition'];

const property = (fieldIdentifier: string, condition: Condition, value?: unknown): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition,
  ...(value === undefined ? {} : { value }),
});

export const inStates = (states: readonly string[]): SearchFilterRequestDto =>
  property('CERTIFICATE_STATE', 'EQUALS', states);
export const inState = (state: string): SearchFilterRequestDto => inStates([state]);
/** The states that a filter asks for; undefined if it asks for something else. */
export const statesIn = ({
  fieldIdentifier,
  condition,
  value,
}: SearchFilterRequestDto): readonly string[] | undefined =>
  fieldIdentifier === 'CERTIFICATE_STATE' && condition === 'EQUALS' && Array.isArray(value)
    ? value.filter((each) => typeof each === 'string')
    : undefined;
/** Certificates that have a successor are kept until they expire, and need no attention. */
export const notReplaced: SearchFilterRequestDto = property('SUCCEEDING_CERTIFICATES', 'EMPTY');
export const withValidation = (status: string): SearchFilterRequestDto =>
  property('CERTIFICATE_VALIDATION_STATUS', 'EQUALS', [status]);
export const withAlgorithm = (algorithm: string): SearchFilterRequestDto =>
  property('PUBLIC_KEY_ALGORITHM', 'EQUALS', [algorithm]);
/** A period longer than any platform is old: whatever has ended until the platform is asked, to the second. */
const EVER = 'P100Y';
export const ended: SearchFilterRequestDto = property('NOT_AFTER', 'IN_PAST', EVER);
export const isEnded = ({ condition, value }: SearchFilterRequestDto): boolean =>
  condition === 'IN_PAST' && value === EVER;
/** From the moment when the platform is asked, to the second. */
export const endsWithinDays = (days: number): SearchFilterRequestDto => property('NOT_AFTER', 'IN_NEXT', `P${days}D`);
export const endedBefore = (instant: Date): SearchFilterRequestDto =>
  property('NOT_AFTER', 'LESSER', instant.toISOString());
export const endsFrom = (instant: Date): SearchFilterRequestDto =>
  property('NOT_AFTER', 'GREATER_OR_EQUAL', instant.toISOString());

/** The search parameters of a link to the inventory with these filters. */
export const listOf = (filters: readonly SearchFilterRequestDto[], sort?: 'notAfter'): CertificateSearch =>
  sort === undefined ? { filters } : { filters, sort };
