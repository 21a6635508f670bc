// The inventory for people: search with free text and sorting, and export as CSV. Not part of the published interface.
import { z } from 'zod';
import { CertificateProtocol } from '../enums/certificates.ts';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, line } from '../primitives.ts';
import { CertificateDto } from '../platform/certificate-shapes.ts';
import { pageFields, pageTotals } from '../shared/paging.ts';
import { SearchFilterRequestDto } from '../shared/search.ts';

export const MAX_SEARCH_TEXT_LENGTH = 500;
export const MAX_SORT_FIELDS = 5;
/** Certificates of one CSV file. */
export const MAX_EXPORTED_CERTIFICATES = 100_000;

/** Sort fields of certificates. `raProfile` is the name of the RA profile; `createdAt` is the order of creation. */
export const CertificateSortField = z
  .enum([
    'commonName',
    'notAfter',
    'notBefore',
    'createdAt',
    'state',
    'validationStatus',
    'issuerCommonName',
    'raProfile',
    'keySize',
    'serialNumber',
  ])
  .meta({ id: 'CertificateSortField' });
export type CertificateSortField = z.output<typeof CertificateSortField>;

export const SortDirection = z.enum(['asc', 'desc']).meta({ id: 'SortDirection' });
export type SortDirection = z.output<typeof SortDirection>;

/** Certificates without a value come last in both directions. */
export const CertificateSort = z
  .object({ field: CertificateSortField, direction: SortDirection.default('asc') })
  .meta({ id: 'CertificateSort' });
export type CertificateSort = z.output<typeof CertificateSort>;

const selection = {
  filters: z.array(SearchFilterRequestDto).optional(),
  /**
   * Words that must all occur in the common name, subject or subject alternative names, ignoring case. A word may also
   * be the identifier, the fingerprint or the serial number of the certificate, the latter two with or without colons.
   */
  text: z.string().max(MAX_SEARCH_TEXT_LENGTH).optional(),
  /** Sorted by the first field, then by the next ones. Newest first when there is none. */
  sort: z.array(CertificateSort).max(MAX_SORT_FIELDS).optional(),
  includeArchived: z.boolean().optional(),
};

/** Attributes whose values are shown, of one list. */
export const MAX_SHOWN_ATTRIBUTES = 20;
/** Characters of a value; a list shows the beginning of longer ones. */
export const MAX_LISTED_VALUE_LENGTH = 500;
/** As much as a cell of a spreadsheet holds. */
export const MAX_EXPORTED_VALUE_LENGTH = 32_767;

/** A custom attribute or metadata, named as filters name them: `name|CONTENTTYPE`. */
export const ShownAttribute = z
  .object({ fieldSource: z.enum(['custom', 'meta']), fieldIdentifier: line().max(500) })
  .meta({ id: 'ShownAttribute' });
export type ShownAttribute = z.output<typeof ShownAttribute>;

/** Its values of one certificate, in their order. */
export const ShownAttributeValues = ShownAttribute.extend({ values: z.array(z.string()) }).meta({
  id: 'ShownAttributeValues',
});
export type ShownAttributeValues = z.output<typeof ShownAttributeValues>;

/** Values of these are shown, as far as the caller may use the attributes; secrets never are. */
const shown = { attributes: z.array(ShownAttribute).max(MAX_SHOWN_ATTRIBUTES).optional() };

/** Which certificates, in which order. */
export const CertificateSelection = z.object({ ...selection, ...shown }).meta({ id: 'CertificateSelection' });
export type CertificateSelection = z.output<typeof CertificateSelection>;

export const CertificateSearch = z
  .object({
    ...selection,
    ...shown,
    ...pageFields,
    /**
     * Continues after the last certificate of the page whose `nextCursor` this is, however many were added or removed
     * meanwhile. With the same filters, text, sort and archive, as the same user; takes the place of `pageNumber`.
     */
    cursor: z.string().min(1).optional(),
  })
  .meta({ id: 'CertificateSearch' });
export type CertificateSearch = z.output<typeof CertificateSearch>;

export const FoundCertificateDto = CertificateDto.extend({
  createdAt: dateTime(),
  /** Absent for certificates that were not requested through a protocol. */
  protocol: CertificateProtocol.optional(),
  /** What a certificate without common name is known by: its first alternative name. Absent for all others. */
  alternativeName: z.string().optional(),
  /** Of the attributes that were asked for, those of which it has values. */
  attributes: z.array(ShownAttributeValues).optional(),
}).meta({ id: 'FoundCertificateDto' });
export type FoundCertificateDto = z.output<typeof FoundCertificateDto>;

export const CertificateSearchResult = z
  .object({
    /** Of pages that a cursor continues, totals are those of the page that it all began with: counted once. */
    ...pageTotals,
    /** False when there are more: counting all of them would have taken too long. */
    totalIsExact: z.boolean(),
    certificates: z.array(FoundCertificateDto),
    /** What the next page is asked for by: deep pages cost no more than the first. Absent on the last page. */
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'CertificateSearchResult' });
export type CertificateSearchResult = z.output<typeof CertificateSearchResult>;

const access = {
  resource: 'certificates',
  action: 'list',
  filtered: true,
  parent: { resource: 'raProfiles', action: 'members', filtered: true },
} as const;

export const certificateSearchOperations = operations(
  { tag: 'Certificate Search', resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    searchCertificates: {
      route: 'POST /x/v1/certificates/search',
      summary: 'Search certificates by text and filters, sorted',
      body: CertificateSearch,
      answer: CertificateSearchResult,
      access,
    },
    /**
     * UTF-8 with a byte order mark, so that spreadsheets detect it; the first line names the columns (RFC 4180). The
     * attributes that were asked for are the last columns.
     */
    exportCertificates: {
      route: 'POST /x/v1/certificates/export',
      summary: 'Export certificates as CSV',
      body: CertificateSelection,
      success: { status: 200, media: 'text/csv; charset=utf-8' },
      errors: [400, 401, 403, 422, 500],
      access,
      audit: 'export',
    },
  },
);
