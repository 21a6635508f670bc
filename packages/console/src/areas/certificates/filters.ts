// Inventory filters for links and quick filters. They are part of the URL like any other filter.
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
/** Returns the states that a filter selects, or undefined if it does not filter by state. */
export const statesIn = ({
  fieldIdentifier,
  condition,
  value,
}: SearchFilterRequestDto): readonly string[] | undefined =>
  fieldIdentifier === 'CERTIFICATE_STATE' && condition === 'EQUALS' && Array.isArray(value)
    ? value.filter((each) => typeof each === 'string')
    : undefined;
/** Replaced certificates are kept until they expire, and need no attention. */
export const notReplaced: SearchFilterRequestDto = property('SUCCEEDING_CERTIFICATES', 'EMPTY');
export const withValidation = (status: string): SearchFilterRequestDto =>
  property('CERTIFICATE_VALIDATION_STATUS', 'EQUALS', [status]);
export const withCompliance = (status: string): SearchFilterRequestDto =>
  property('COMPLIANCE_STATUS', 'EQUALS', [status]);
export const withAlgorithm = (algorithm: string): SearchFilterRequestDto => withAlgorithms([algorithm]);
/** Matches any part of the subject DN. */
export const inSubject = (text: string): SearchFilterRequestDto => property('SUBJECTDN', 'CONTAINS', text);
export const inGroup = (name: string): SearchFilterRequestDto => property('GROUP_NAME', 'EQUALS', [name]);
/**
 * Longer than any platform has existed, so that the filter matches everything that has expired by the time of the
 * request, to the second.
 */
const EVER = 'P100Y';
export const expiredFilter: SearchFilterRequestDto = property('NOT_AFTER', 'IN_PAST', EVER);
export const isExpired = ({ condition, value }: SearchFilterRequestDto): boolean =>
  condition === 'IN_PAST' && value === EVER;
/** The period starts at the time of the request, to the second. */
export const expiresWithinDays = (days: number): SearchFilterRequestDto =>
  property('NOT_AFTER', 'IN_NEXT', `P${days}D`);
export const expiresBefore = (instant: Date): SearchFilterRequestDto =>
  property('NOT_AFTER', 'LESSER', instant.toISOString());
export const expiresFrom = (instant: Date): SearchFilterRequestDto =>
  property('NOT_AFTER', 'GREATER_OR_EQUAL', instant.toISOString());

export const withKeySizes = (sizes: readonly number[]): SearchFilterRequestDto => property('KEY_SIZE', 'EQUALS', sizes);
export const withAlgorithms = (algorithms: readonly string[]): SearchFilterRequestDto =>
  property('PUBLIC_KEY_ALGORITHM', 'EQUALS', algorithms);
/** Validity is counted in whole days, including the first and the last. */
export const validLongerThan = (days: number): SearchFilterRequestDto => property('VALIDITY_DAYS', 'GREATER', days);
export const validAtMost = (days: number): SearchFilterRequestDto => property('VALIDITY_DAYS', 'LESSER_OR_EQUAL', days);
/** Fields that can be empty. */
export type OptionalField = 'SIGNATURE_ALGORITHM' | 'RA_PROFILE_NAME' | 'GROUP_NAME' | 'CERTIFICATE_PROTOCOL' | 'OWNER';
export const withoutValue = (field: OptionalField): SearchFilterRequestDto => property(field, 'EMPTY');
export const withValue = (field: OptionalField, value: string): SearchFilterRequestDto =>
  property(field, 'EQUALS', [value]);
export const signedWith = (algorithm: string | undefined): SearchFilterRequestDto =>
  algorithm === undefined ? withoutValue('SIGNATURE_ALGORITHM') : withValue('SIGNATURE_ALGORITHM', algorithm);
export const withSignatures = (algorithms: readonly string[]): SearchFilterRequestDto =>
  property('SIGNATURE_ALGORITHM', 'EQUALS', algorithms);
/** The common name is indexed; the distinguished name tells issuers apart. */
export const issuedBy = (issuerDn: string, commonName?: string): readonly SearchFilterRequestDto[] => [
  ...(commonName ? [property('ISSUER_COMMON_NAME', 'EQUALS', commonName)] : []),
  issuerDn === '' ? property('ISSUERDN', 'EMPTY') : property('ISSUERDN', 'EQUALS', issuerDn),
];

/** Returns the search parameters of an inventory link with these filters. */
export const listOf = (filters: readonly SearchFilterRequestDto[], sort?: 'notAfter'): CertificateSearch =>
  sort === undefined ? { filters } : { filters, sort };

/** Returns the same search parameters; if requested, archived certificates are included. */
export const withArchive = (search: CertificateSearch, includeArchived: boolean): CertificateSearch =>
  includeArchived ? { ...search, archived: true } : search;
