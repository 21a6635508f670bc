// Object identifiers to which administrators assign names: distinguished name attribute types with their codes,
// extended key usages, and others such as extensions and policies.
import { z } from 'zod';
import { OidCategory } from '../enums/oids.ts';
import { operations, ruleErrors } from '../operations.ts';
import { description, MAX_NAME_LENGTH, objectName } from '../primitives.ts';
import { pageTotals } from '../shared/paging.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';

/** A `descr` in RFC 4512 §1.4. Case is ignored when a name is parsed. */
const rdnCode = () =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must begin with a letter and contain only letters, digits and hyphens')
    .max(MAX_NAME_LENGTH, `must not be longer than ${MAX_NAME_LENGTH} characters`);

/** Additional properties of a distinguished name attribute type. */
export const RdnAttributeTypeOidPropertiesDto = z
  .object({
    /** Used in distinguished names: `code=value`. */
    code: rdnCode(),
    /** Alternative codes that are accepted when a name is entered. */
    altCodes: z.array(rdnCode()).optional(),
  })
  .meta({ id: 'RdnAttributeTypeOidPropertiesDto' });
export type RdnAttributeTypeOidPropertiesDto = z.output<typeof RdnAttributeTypeOidPropertiesDto>;

const answered = {
  oid: z.string(),
  displayName: z.string(),
  description: z.string().optional(),
  category: OidCategory,
  /** Present only for attribute types. */
  additionalProperties: RdnAttributeTypeOidPropertiesDto.optional(),
};

/**
 * Not part of the published interface: lists also include the codes, so clients need only one request to format names.
 */
export const CustomOidEntryResponseDto = z.object(answered).meta({ id: 'CustomOidEntryResponseDto' });
export type CustomOidEntryResponseDto = z.output<typeof CustomOidEntryResponseDto>;

export const CustomOidEntryDetailResponseDto = z.object(answered).meta({ id: 'CustomOidEntryDetailResponseDto' });
export type CustomOidEntryDetailResponseDto = z.output<typeof CustomOidEntryDetailResponseDto>;

export const CustomOidEntryListResponseDto = z
  .object({ ...pageTotals, oidEntries: z.array(CustomOidEntryResponseDto) })
  .meta({ id: 'CustomOidEntryListResponseDto' });
export type CustomOidEntryListResponseDto = z.output<typeof CustomOidEntryListResponseDto>;

/** Members that creation and edit requests have in common. */
const requested = {
  displayName: objectName(),
  description: description().optional(),
  category: OidCategory,
  /** Required for attribute types; not allowed in other categories. */
  additionalProperties: RdnAttributeTypeOidPropertiesDto.optional(),
};

export const CustomOidEntryRequestDto = z
  .object({
    ...requested,
    oid: z
      .string()
      .regex(
        /^[0-2](\.(0|[1-9]\d*)){1,50}$/,
        'must be an object identifier in dotted-decimal notation, e.g. 1.3.6.1.4.1.99999.1',
      ),
  })
  .meta({ id: 'CustomOidEntryRequestDto' });
export type CustomOidEntryRequestDto = z.output<typeof CustomOidEntryRequestDto>;

export const CustomOidEntryUpdateRequestDto = z.object(requested).meta({ id: 'CustomOidEntryUpdateRequestDto' });
export type CustomOidEntryUpdateRequestDto = z.output<typeof CustomOidEntryUpdateRequestDto>;

/** Entries are identified by their OID. */
const oidParam = z.object({ oid: z.string() });

export const oidOperations = operations(
  { tag: 'Custom OID Management', resource: 'oids', module: 'core', errors: ruleErrors },
  {
    createCustomOidEntry: {
      route: 'POST /v1/oids',
      summary: 'Create a new custom OID entry',
      body: CustomOidEntryRequestDto,
      answer: CustomOidEntryDetailResponseDto,
      access: { action: 'create' },
      audit: 'create',
    },
    listCustomOidEntries: {
      route: 'POST /v1/oids/list',
      summary: 'List custom OID entries',
      body: SearchRequestDto,
      answer: CustomOidEntryListResponseDto,
      access: { action: 'list' },
    },
    getOidSearchFields: {
      route: 'GET /v1/oids/search',
      id: 'getSearchableInformation',
      summary: 'Get searchable filter fields',
      answer: z.array(SearchFieldDataByGroupDto),
      access: 'authenticated',
    },
    getCustomOidEntry: {
      route: 'GET /v1/oids/{oid}',
      summary: 'Get custom OID entry by OID',
      params: oidParam,
      answer: CustomOidEntryDetailResponseDto,
      access: { action: 'detail' },
    },
    editCustomOidEntry: {
      route: 'PUT /v1/oids/{oid}',
      summary: 'Edit an existing custom OID entry',
      params: oidParam,
      body: CustomOidEntryUpdateRequestDto,
      answer: CustomOidEntryDetailResponseDto,
      access: { action: 'update' },
      audit: 'update',
    },
    deleteCustomOidEntry: {
      route: 'DELETE /v1/oids/{oid}',
      summary: 'Delete a custom OID entry by OID',
      params: oidParam,
      access: { action: 'delete' },
      audit: 'delete',
    },
    /** Identifiers without an entry are skipped. */
    bulkDeleteCustomOidEntry: {
      route: 'DELETE /v1/oids',
      summary: 'Bulk delete customOID entries',
      body: z.array(z.string()),
      access: { action: 'delete' },
      audit: 'delete',
    },
  },
);
