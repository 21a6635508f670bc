// Presents tokens and token profiles in the API format.
import type {
  ResponseAttributeDto,
  TokenInstanceDetailDto,
  TokenInstanceDto,
  TokenInstanceStatus,
  TokenInstanceStatusDetailDto,
  TokenProfileDto,
} from '@signetry/contract';
import { usagesOf } from './usage-mask.ts';
import type { TokenProfileRow, TokenRow } from './tables.ts';

export const presentToken = (row: TokenRow, profiles: number): TokenInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  kind: row.kind,
  status: row.status,
  tokenProfiles: profiles,
  ...(row.connector_uuid === null ? {} : { connectorUuid: row.connector_uuid }),
  connectorName: row.connector_uuid === null ? `${row.connector_name} (Deleted)` : row.connector_name,
});

export const presentTokenDetail = (
  row: TokenRow,
  shown: {
    readonly profiles: number;
    readonly status: TokenInstanceStatusDetailDto;
    readonly attributes: readonly ResponseAttributeDto[];
  },
): TokenInstanceDetailDto => ({
  ...presentToken(row, shown.profiles),
  status: shown.status,
  attributes: [...shown.attributes],
});

export const presentTokenProfile = (
  row: TokenProfileRow,
  token: { readonly uuid: string; readonly name: string; readonly status: TokenInstanceStatus },
): TokenProfileDto => ({
  uuid: row.uuid,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  tokenInstanceUuid: token.uuid,
  tokenInstanceName: token.name,
  tokenInstanceStatus: token.status,
  enabled: row.enabled,
  usages: usagesOf(row.usages),
});
