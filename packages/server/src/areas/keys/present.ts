// Presents keys and their items in the API format.
import type {
  ComplianceStatus,
  GroupDto,
  KeyDetailDto,
  KeyDto,
  KeyEventHistoryDto,
  KeyItemDetailDto,
  KeyItemDto,
} from '@signetry/contract';
import { presentAdditional } from '../../kernel/additional-information.ts';
import { usagesOf } from '../tokens/index.ts';
import type { NamedKeyRow } from './store-list.ts';
import type { KeyEventRow, KeyItemRow } from './tables.ts';

/** Data that is shown in addition to the rows. */
interface ShownFacts {
  readonly groups: readonly GroupDto[];
  readonly associations: number;
}

const presentOrigin = (row: NamedKeyRow, groups: readonly GroupDto[]) => ({
  ...(row.description === null ? {} : { description: row.description }),
  creationTime: row.created_at.toISOString(),
  ...(row.token_profile_uuid === null ? {} : { tokenProfileUuid: row.token_profile_uuid }),
  ...(row.token_profile_name === null ? {} : { tokenProfileName: row.token_profile_name }),
  ...(row.token_uuid === null ? {} : { tokenInstanceUuid: row.token_uuid }),
  ...(row.token_name === null ? {} : { tokenInstanceName: row.token_name }),
  ...(row.owner_username === null ? {} : { owner: row.owner_username }),
  ...(row.owner_uuid === null ? {} : { ownerUuid: row.owner_uuid }),
  groups: [...groups],
});

const BY_SEVERITY = ['failed', 'nok', 'na', 'ok', 'not_checked'] as const satisfies readonly ComplianceStatus[];

/** Returns the worst compliance status among a key's items. */
const worstOf = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  BY_SEVERITY.find((status) => statuses.includes(status)) ?? 'not_checked';

const presentFacts = (item: KeyItemRow) => ({
  ...(item.reference === null ? {} : { keyReferenceUuid: item.reference }),
  type: item.type,
  keyAlgorithm: item.algorithm,
  format: item.format,
  length: item.length,
  usage: usagesOf(item.usages),
  enabled: item.enabled,
  state: item.state,
  complianceStatus: item.compliance_status,
});

export const presentItem = (item: KeyItemRow, key: NamedKeyRow, { groups, associations }: ShownFacts): KeyItemDto => ({
  uuid: item.uuid,
  name: item.name,
  ...presentOrigin(key, groups),
  creationTime: item.created_at.toISOString(),
  keyWrapperUuid: key.uuid,
  keyName: key.name,
  associations,
  ...presentFacts(item),
});

export const presentKey = (key: NamedKeyRow, items: readonly KeyItemRow[], shown: ShownFacts): KeyDto => ({
  uuid: key.uuid,
  name: key.name,
  ...presentOrigin(key, shown.groups),
  items: items.map((item) => presentItem(item, key, shown)),
  associations: shown.associations,
  complianceStatus: worstOf(items.map((item) => item.compliance_status)),
});

export const presentItemDetail = (item: KeyItemRow, metadata: KeyItemDetailDto['metadata']): KeyItemDetailDto => ({
  uuid: item.uuid,
  name: item.name,
  ...presentFacts(item),
  ...(item.key_data === null ? {} : { keyData: item.key_data }),
  metadata,
  ...(item.reason === null ? {} : { reason: item.reason }),
});

export const presentKeyDetail = (
  key: NamedKeyRow,
  shown: Pick<KeyDetailDto, 'items' | 'attributes' | 'customAttributes' | 'associations'> & {
    readonly groups: readonly GroupDto[];
  },
): KeyDetailDto => ({
  uuid: key.uuid,
  name: key.name,
  ...presentOrigin(key, shown.groups),
  customAttributes: shown.customAttributes,
  attributes: shown.attributes,
  items: shown.items,
  associations: shown.associations,
  complianceStatus: worstOf(shown.items.map((item) => item.complianceStatus)),
});

export const presentEvent = (row: KeyEventRow): KeyEventHistoryDto => ({
  uuid: row.uuid,
  keyUuid: row.item_uuid,
  created: row.created_at.toISOString(),
  createdBy: row.created_by,
  event: row.event,
  status: row.status,
  message: row.message,
  ...(row.additional === null ? {} : { additionalInformation: presentAdditional(row.additional) }),
});
