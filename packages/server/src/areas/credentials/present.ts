// Presents credentials in the API format.
import type { CredentialDto, ResponseAttributeDto } from '@signetry/contract';
import type { CredentialRow } from './tables.ts';

/** Includes values only in the details; lists contain names only. */
export const presentCredential = (
  row: CredentialRow,
  attributes: readonly ResponseAttributeDto[] = [],
): CredentialDto => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  enabled: row.enabled,
  ...(row.connector_uuid === null ? {} : { connectorUuid: row.connector_uuid }),
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
  attributes: [...attributes],
});
