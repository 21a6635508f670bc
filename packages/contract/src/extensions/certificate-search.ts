// Interactive inventory search with free text and sorting, and CSV export. Not part of the published interface.
import { z } from 'zod';
import { CertificateProtocol } from '../enums/certificates.ts';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, line } from '../primitives.ts';
import { CertificatePurpose } from './certificate-purposes.ts';
import { CertificateDto } from '../platform/certificate-shapes.ts';
import { pageFields, pageTotals } from '../shared/paging.ts';
import { SearchFilterRequestDto } from '../shared/search.ts';

export const MAX_SEARCH_TEXT_LENGTH = 500;
export const MAX_SORT_FIELDS = 5;
/** Maximum number of certificates in one CSV file. */
export const MAX_EXPORTED_CERTIFICATES = 100_000;

/** Sort fields of certificates. `raProfile` sorts by the RA profile's name, `createdAt` by order of creation. */
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
   * Words that must all occur in the common name, subject or SANs, ignoring case. A word can also be the identifier,
   * fingerprint or serial number of the certificate, the latter two with or without colons.
   */
  text: z.string().max(MAX_SEARCH_TEXT_LENGTH).optional(),
  /** Certificates are sorted by the first field, then by the second, and so on. Default: newest first. */
  sort: z.array(CertificateSort).max(MAX_SORT_FIELDS).optional(),
  includeArchived: z.boolean().optional(),
};

/** Maximum number of attributes whose values can be shown in a list. */
export const MAX_SHOWN_ATTRIBUTES = 20;
/** Maximum length of a value in a list, in characters; longer values are truncated. */
export const MAX_LISTED_VALUE_LENGTH = 500;
/** Maximum number of characters in a spreadsheet cell. */
export const MAX_EXPORTED_VALUE_LENGTH = 32_767;

/** A custom attribute or metadata item, identified as in filters: `name|CONTENTTYPE`. */
export const ShownAttribute = z
  .object({ fieldSource: z.enum(['custom', 'meta']), fieldIdentifier: line().max(500) })
  .meta({ id: 'ShownAttribute' });
export type ShownAttribute = z.output<typeof ShownAttribute>;

/** Values of the attribute for one certificate, in order. */
export const ShownAttributeValues = ShownAttribute.extend({ values: z.array(z.string()) }).meta({
  id: 'ShownAttributeValues',
});
export type ShownAttributeValues = z.output<typeof ShownAttributeValues>;

/** Attributes whose values are shown if the caller can use them. Secrets are never shown. */
const shown = { attributes: z.array(ShownAttribute).max(MAX_SHOWN_ATTRIBUTES).optional() };

/** Selected certificates and their order. */
export const CertificateSelection = z.object({ ...selection, ...shown }).meta({ id: 'CertificateSelection' });
export type CertificateSelection = z.output<typeof CertificateSelection>;

export const CertificateSearch = z
  .object({
    ...selection,
    ...shown,
    ...pageFields,
    /**
     * Continues after the last certificate on the page that returned this value as its `nextCursor`, even if
     * certificates have been added or removed since then. Requires the same filters, text, sort order, archive setting
     * and user. Replaces `pageNumber`.
     */
    cursor: z.string().min(1).optional(),
  })
  .meta({ id: 'CertificateSearch' });
export type CertificateSearch = z.output<typeof CertificateSearch>;

export const FoundCertificateDto = CertificateDto.extend({
  createdAt: dateTime(),
  /** Absent if the certificate was not requested over a protocol. */
  protocol: CertificateProtocol.optional(),
  /** Purposes that the extended key usage names; absent if it names none of them, or if the extension is absent. */
  purposes: z.array(CertificatePurpose).optional(),
  /** First SAN if the certificate has no common name; otherwise absent. */
  alternativeName: z.string().optional(),
  /** Requested attributes for which the certificate has values. */
  attributes: z.array(ShownAttributeValues).optional(),
}).meta({ id: 'FoundCertificateDto' });
export type FoundCertificateDto = z.output<typeof FoundCertificateDto>;

export const CertificateSearchResult = z
  .object({
    /** Pages requested with a cursor repeat the totals of the first page: certificates are counted only once. */
    ...pageTotals,
    /** False if there are more certificates than the total: counting all of them would have taken too long. */
    totalIsExact: z.boolean(),
    certificates: z.array(FoundCertificateDto),
    /** Cursor for the next page; later pages cost no more than the first. Absent on the last page. */
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
      summary: 'Search certificates by text and filters, with sorting',
      body: CertificateSearch,
      answer: CertificateSearchResult,
      access,
    },
    /**
     * UTF-8 with a byte order mark, so that spreadsheets detect the encoding. The first line contains the column names
     * (RFC 4180). The last columns contain the requested attributes.
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
