// Presents entries in the API format.
import type { CustomOidEntryDetailResponseDto } from '@signetry/contract';
import type { OidRow } from './tables.ts';

export const presentEntry = (row: OidRow): CustomOidEntryDetailResponseDto => ({
  oid: row.oid,
  displayName: row.display_name,
  description: row.description ?? undefined,
  category: row.category,
  additionalProperties: row.code === null ? undefined : { code: row.code, altCodes: row.alt_codes },
});
