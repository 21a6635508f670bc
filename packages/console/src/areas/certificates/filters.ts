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
export const withCompliance = (status: string): SearchFilterRequestDto =>
  property('COMPLIANCE_STATUS', 'EQUALS', [status]);
export const withAlgorithm = (algorithm: string): SearchFilterRequestDto => withAlgorithms([algorithm]);
/** The text of the subject has this somewhere. */
export const inSubject = (text: string): SearchFilterRequestDto => property('SUBJECTDN', 'CONTAINS', text);
export const inGroup = (name: string): SearchFilterRequestDto => property('GROUP_NAME', 'EQUALS', [name]);
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

export const withKeySizes = (sizes: readonly number[]): SearchFilterRequestDto => property('KEY_SIZE', 'EQUALS', sizes);
export const withAlgorithms = (algorithms: readonly string[]): SearchFilterRequestDto =>
  property('PUBLIC_KEY_ALGORITHM', 'EQUALS', algorithms);
/** The validity counts in whole days, both ends included. */
export const livesLongerThan = (days: number): SearchFilterRequestDto => property('VALIDITY_DAYS', 'GREATER', days);
export const livesAtMost = (days: number): SearchFilterRequestDto => property('VALIDITY_DAYS', 'LESSER_OR_EQUAL', days);
/** Fields that a certificate may have no value of. */
export type FieldWithoutValues =
  'SIGNATURE_ALGORITHM' | 'RA_PROFILE_NAME' | 'GROUP_NAME' | 'CERTIFICATE_PROTOCOL' | 'OWNER';
export const without = (field: FieldWithoutValues): SearchFilterRequestDto => property(field, 'EMPTY');
export const withValue = (field: FieldWithoutValues, value: string): SearchFilterRequestDto =>
  property(field, 'EQUALS', [value]);
export const signedWith = (algorithm: string | undefined): SearchFilterRequestDto =>
  algorithm === undefined ? without('SIGNATURE_ALGORITHM') : withValue('SIGNATURE_ALGORITHM', algorithm);
export const withSignatures = (algorithms: readonly string[]): SearchFilterRequestDto =>
  property('SIGNATURE_ALGORITHM', 'EQUALS', algorithms);
/** The common name has an index, and the distinguished name tells issuers apart. */
export const issuedBy = (issuerDn: string, commonName?: string): readonly SearchFilterRequestDto[] => [
  ...(commonName ? [property('ISSUER_COMMON_NAME', 'EQUALS', commonName)] : []),
  issuerDn === '' ? property('ISSUERDN', 'EMPTY') : property('ISSUERDN', 'EQUALS', issuerDn),
];

/** The search parameters of a link to the inventory with these filters. */
export const listOf = (filters: readonly SearchFilterRequestDto[], sort?: 'notAfter'): CertificateSearch =>
  sort === undefined ? { filters } : { filters, sort };

/** The same link, to what is in the archive too where that is wanted. */
export const withArchive = (search: CertificateSearch, includeArchived: boolean): CertificateSearch =>
  includeArchived ? { ...search, archived: true } : search;
