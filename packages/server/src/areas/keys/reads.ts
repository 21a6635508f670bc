// Key reads: lists, details and histories.
import type {
  CryptographicKeyResponseDto,
  GroupDto,
  KeyDetailDto,
  KeyDto,
  KeyEventHistoryDto,
  KeyExportability,
  KeyItemDetailDto,
  ResponseAttributeDto,
  SearchFieldDataByGroupDto,
  SearchRequestDto,
} from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import { findGroupNames, findMemberships, presentGroup } from '../groups/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { visibleKeys } from './access.ts';
import type { KeyAssociations } from './associations.ts';
import { presentEvent, presentItem, presentItemDetail, presentKey, presentKeyDetail } from './present.ts';
import { keyFields } from './search-fields.ts';
import { findEvents } from './store-events.ts';
import { findNamed, findOwners, findPage, findPairs, type NamedKeyRow } from './store-list.ts';
import { findItems, keys } from './store.ts';
import type { KeyItemRow } from './tables.ts';

/** Maximum number of events shown in a history. */
const MAX_EVENTS = 1_000;

export interface KeyReadParts {
  readonly attributes: AttributeEngine;
  readonly associations: KeyAssociations;
  readonly tokens: Pick<Tokens, 'listNames' | 'find'>;
}

/** Key referenced by a request, with or without its token. */
export interface KeyPath {
  readonly uuid: string;
  readonly tokenInstanceUuid?: string;
}

export type KeyReads = ReturnType<typeof createKeyReads>;

export const createKeyReads = (platform: Platform, parts: KeyReadParts) => {
  const lists = createKeyLists(platform, parts);
  return { ...lists, ...createKeyDetails(platform, parts) };
};

function createKeyLists({ database, clock }: Platform, { associations, tokens }: KeyReadParts) {
  const { executor } = database;

  async function list(request: SearchRequestDto, context: RequestContext): Promise<CryptographicKeyResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: keyFields.lookup, now: clock.now() });
    const visible = visibleKeys(context);
    const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
      findPage(tx, { conditions, page, visible }),
    );
    const shown = await shownOf(executor, [...new Set(items.map(({ key_uuid: uuid }) => uuid))]);
    return {
      ...pageFacts(page, totalItems),
      cryptographicKeys: items.map((item) => presentItem(item, item.key, shown(item.key_uuid))),
    };
  }

  async function pairs(
    { tokenProfileUuid: profileUuid }: { readonly tokenProfileUuid?: string | undefined },
    context: RequestContext,
  ): Promise<KeyDto[]> {
    return presentKeys(await findPairs(executor, { visible: visibleKeys(context), profileUuid }));
  }

  async function presentKeys(rows: readonly NamedKeyRow[]): Promise<KeyDto[]> {
    const uuids = rows.map(({ uuid }) => uuid);
    const items = Map.groupBy(await findItems(executor, uuids), ({ key_uuid: uuid }) => uuid);
    const shown = await shownOf(executor, uuids);
    return rows.map((row) => presentKey(row, items.get(row.uuid) ?? [], shown(row.uuid)));
  }

  /** Returns the keys' groups, and the number of objects that use each key. */
  async function shownOf(from: Executor, uuids: readonly string[]) {
    const [groups, used] = await Promise.all([groupsOf(from, uuids), associations.count(from, uuids)]);
    return (uuid: string) => ({ groups: groups.get(uuid) ?? [], associations: used.get(uuid) ?? 0 });
  }

  async function searchFields(context: RequestContext): Promise<SearchFieldDataByGroupDto[]> {
    const { permissions } = context.actor;
    const { tokens: ofTokens, profiles } = await tokens.listNames();
    const listed = (resource: 'tokens' | 'tokenProfiles' | 'groups', rows: readonly { uuid: string; name: string }[]) =>
      rows.filter(({ uuid }) => isVisible(visibleObjects(permissions, resource, 'list'), uuid)).map(({ name }) => name);
    return presentSearchFields('keys', {
      fields: keyFields.fields,
      values: {
        CK_TOKEN_INSTANCE: listed('tokens', ofTokens),
        CK_TOKEN_PROFILE: listed('tokenProfiles', profiles),
        CK_GROUP: listed('groups', await findGroupNames(executor)),
        CK_OWNER: await findOwners(executor, visibleKeys(context)),
      },
    });
  }

  return { list, pairs, presentKeys, searchFields };
}

function createKeyDetails({ database }: Platform, { attributes, associations, tokens }: KeyReadParts) {
  const { executor } = database;
  const values = attributes.customValuesOf('keys');

  async function require({ uuid, tokenInstanceUuid }: KeyPath): Promise<NamedKeyRow> {
    const [row] = await findNamed(executor, [uuid]);
    const isElsewhere = tokenInstanceUuid !== undefined && row?.token_uuid !== tokenInstanceUuid.toLowerCase();
    return requireFound(isElsewhere ? undefined : row, keys.what, uuid);
  }

  async function requireItem(path: KeyPath & { readonly keyItemUuid: string }): Promise<KeyItemRow> {
    const { uuid } = await require(path);
    const item = (await findItems(executor, [uuid])).find((each) => each.uuid === path.keyItemUuid.toLowerCase());
    return requireFound(item, 'Key item', path.keyItemUuid);
  }

  const itemDetail = async (item: KeyItemRow): Promise<KeyItemDetailDto> =>
    presentItemDetail(item, await attributes.readMetadata({ resource: 'keys', uuid: item.uuid }));

  async function detail(path: KeyPath, context: RequestContext): Promise<KeyDetailDto> {
    const row = await require(path);
    const [groups, items, made, customAttributes, users] = await Promise.all([
      groupsOf(executor, [row.uuid]),
      findItems(executor, [row.uuid]).then((found) => Promise.all(found.map(itemDetail))),
      attributesOf(row),
      values.read(row.uuid, context),
      associations.of(executor, row.uuid),
    ]);
    const ofKey = groups.get(row.uuid) ?? [];
    return presentKeyDetail(row, { groups: ofKey, items, attributes: made, customAttributes, associations: users });
  }

  /** Returns the attributes with which the key was created, as long as its token is configured. */
  async function attributesOf({ uuid, token_uuid: tokenUuid }: NamedKeyRow): Promise<ResponseAttributeDto[]> {
    if (tokenUuid === null) return [];
    const { connectorUuid } = await tokens.find(tokenUuid);
    return attributes.read({ resource: 'keys', uuid }, { connectorUuid });
  }

  return {
    require,
    requireItem,
    detail,
    exportability: async (path: KeyPath): Promise<KeyExportability> => ({
      exportable: (await require(path)).exportable,
    }),
    itemDetail: async (path: KeyPath & { readonly keyItemUuid: string }): Promise<KeyItemDetailDto> =>
      itemDetail(await requireItem(path)),
    async history(path: KeyPath & { readonly keyItemUuid: string }): Promise<KeyEventHistoryDto[]> {
      const { uuid } = await requireItem(path);
      return (await findEvents(executor, uuid, MAX_EVENTS)).map(presentEvent);
    },
  };
}

async function groupsOf(executor: Executor, uuids: readonly string[]): Promise<ReadonlyMap<string, GroupDto[]>> {
  const groups = new Map<string, GroupDto[]>();
  if (uuids.length === 0) return groups;
  for (const { object_uuid: uuid, ...group } of await findMemberships(executor, 'keys', uuids))
    groups.set(uuid, [...(groups.get(uuid) ?? []), presentGroup(group)]);
  return groups;
}
