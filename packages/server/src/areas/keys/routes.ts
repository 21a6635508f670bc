// API operations on keys and with keys.
import {
  keyExportabilityOperations,
  keyManagementOperations,
  keyUseOperations,
  type CompromiseKeyRequestDto,
  type UpdateKeyUsageRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Tokens } from '../tokens/index.ts';
import {
  changeItems,
  compromiseChange,
  enablementChange,
  possibleUsageChange,
  usageChange,
  type ChosenItems,
  type ItemChange,
} from './change-items.ts';
import { withAccessCheck } from './access.ts';
import { createKey, creationForms, type KeyCreationPath } from './create-key.ts';
import { randomForm, type CryptographicOperations } from './cryptographic-operations.ts';
import { destroyItems, type DestructionKind } from './destroy-items.ts';
import { editKey, renameItem, type KeyEditParts } from './edit-key.ts';
import type { KeyAssociations } from './associations.ts';
import type { KeyPath, KeyReads } from './reads.ts';
import { syncKeys } from './sync-keys.ts';

export interface KeyRouteParts extends KeyEditParts {
  readonly associations: KeyAssociations;
  readonly reads: KeyReads;
  readonly operations: CryptographicOperations;
}

export const keyRoutes = (parts: KeyRouteParts): readonly Route[] => [
  ...[...managementRoutes(parts), ...exportabilityRoutes(parts)].map((route) =>
    withAccessCheck(route, parts.platform.database.executor),
  ),
  ...withKeys(parts),
];

function managementRoutes(parts: KeyRouteParts): readonly Route[] {
  const { reads, tokens } = parts;
  return routes(
    keyManagementOperations,
    {
      listKeys: ({ body, context }) => reads.list(body, context),
      getKeySearchFields: ({ context }) => reads.searchFields(context),
      listKeyPairs: ({ query, context }) => reads.pairs(query, context),
      listCreateKeyAttributes: ({ params, context }) => creationAttributes(tokens, params, context),
      createKey: async ({ params, body, context }) =>
        reads.detail({ uuid: await createKey(parts, params, body, context) }, context),
      syncKeys: ({ params, context }) => syncKeys(parts, params.tokenInstanceUuid, context),
      getKey: ({ params, context }) => reads.detail(params, context),
      getKeyWithToken: ({ params, context }) => reads.detail(params, context),
      editKey: async ({ params, body, context }) => {
        await editKey(parts, params.uuid, body, context);
        return reads.detail(params, context);
      },
      getKeyItem: ({ params }) => reads.itemDetail(params),
      getKeyItemWithToken: ({ params }) => reads.itemDetail(params),
      editKeyItem: async ({ params, body, context }) => {
        await renameItem(parts, await reads.requireItem(params), { request: body, context });
        return reads.itemDetail(params);
      },
      getKeyItemHistory: ({ params }) => reads.history(params),
      getKeyItemHistoryWithToken: ({ params }) => reads.history(params),
      ...changeHandlers(parts),
      ...destructionHandlers(parts),
    },
    {
      editKey: ({ uuid }) => reads.require({ uuid }),
      editKeyItem: (path) => reads.requireItem(path),
    },
  );
}

async function creationAttributes(
  tokens: Tokens,
  { tokenInstanceUuid: tokenUuid, tokenProfileUuid: profileUuid, type }: KeyCreationPath,
  { signal }: RequestContext,
) {
  await tokens.requireProfile({ profileUuid, tokenUuid });
  return tokens.definitions(tokenUuid, creationForms[type], signal);
}

const exportabilityRoutes = ({ reads }: KeyRouteParts): readonly Route[] =>
  routes(keyExportabilityOperations, { getKeyExportability: ({ params }) => reads.exportability(params) });

interface KeyCall<Body> {
  readonly params: KeyPath;
  readonly body: Body;
  readonly context: RequestContext;
}
interface BulkCall<Body> {
  readonly body: Body;
  readonly context: RequestContext;
}

type ItemUuids = readonly string[] | undefined;

function changeHandlers(parts: KeyRouteParts) {
  const change = (chosen: ChosenItems, change: ItemChange, context: RequestContext) =>
    changeItems(parts, chosen, { change, context });
  const enable =
    (enabled: boolean) =>
    ({ params, body, context }: KeyCall<ItemUuids>) =>
      change({ key: params, items: body ?? [] }, enablementChange(enabled), context);
  const setUsages = ({ params, body: { usage, uuids = [] }, context }: KeyCall<UpdateKeyUsageRequestDto>) =>
    change(
      { key: params, items: uuids },
      uuids.length === 0 ? possibleUsageChange(usage) : usageChange(usage),
      context,
    );
  const compromise = ({ params, body: { reason, uuids = [] }, context }: KeyCall<CompromiseKeyRequestDto>) =>
    change({ key: params, items: uuids }, compromiseChange(reason), context);
  return {
    enableKey: enable(true),
    enableKeyWithToken: enable(true),
    disableKey: enable(false),
    disableKeyWithToken: enable(false),
    updateKeyUsages: setUsages,
    updateKeyUsagesWithToken: setUsages,
    compromiseKey: compromise,
    compromiseKeyWithToken: compromise,
    enableKeys: ({ body, context }: BulkCall<readonly string[]>) =>
      change({ keys: body }, enablementChange(true), context),
    disableKeys: ({ body, context }: BulkCall<readonly string[]>) =>
      change({ keys: body }, enablementChange(false), context),
    updateKeysUsages: ({ body: { uuids = [], usage }, context }: BulkCall<UpdateKeyUsageRequestDto>) =>
      change({ keys: uuids }, possibleUsageChange(usage), context),
    compromiseKeys: ({ body: { uuids = [], reason }, context }: BulkCall<CompromiseKeyRequestDto>) =>
      change({ keys: uuids }, compromiseChange(reason), context),
    enableKeyItems: ({ body, context }: BulkCall<readonly string[]>) =>
      change({ items: body }, enablementChange(true), context),
    disableKeyItems: ({ body, context }: BulkCall<readonly string[]>) =>
      change({ items: body }, enablementChange(false), context),
    updateKeyItemUsages: ({ body: { uuids = [], usage }, context }: BulkCall<UpdateKeyUsageRequestDto>) =>
      change({ items: uuids }, usageChange(usage), context),
    compromiseKeyItems: ({ body: { uuids = [], reason }, context }: BulkCall<CompromiseKeyRequestDto>) =>
      change({ items: uuids }, compromiseChange(reason), context),
  };
}

function destructionHandlers(parts: KeyRouteParts) {
  const destroyInKey =
    (ending: DestructionKind) =>
    ({ params, body, context }: KeyCall<ItemUuids>) =>
      destroyItems(parts, { key: params, items: body ?? [] }, { ending, context });
  const destroyMany =
    (chosen: (uuids: readonly string[]) => ChosenItems, ending: DestructionKind) =>
    ({ body, context }: BulkCall<readonly string[]>) =>
      destroyItems(parts, chosen(body), { ending, context });
  const [wholeKeys, singleItems] = [
    (uuids: readonly string[]) => ({ keys: uuids }),
    (uuids: readonly string[]) => ({ items: uuids }),
  ];
  return {
    destroyKey: destroyInKey('destroy'),
    destroyKeyWithToken: destroyInKey('destroy'),
    deleteKey: destroyInKey('delete'),
    deleteKeyWithToken: destroyInKey('delete'),
    destroyKeys: destroyMany(wholeKeys, 'destroy'),
    deleteKeys: destroyMany(wholeKeys, 'delete'),
    destroyKeyItems: destroyMany(singleItems, 'destroy'),
    deleteKeyItems: destroyMany(singleItems, 'delete'),
  };
}

const withKeys = ({ operations, tokens }: KeyRouteParts): readonly Route[] =>
  routes(keyUseOperations, {
    listSignatureAttributes: ({ params, context }) => operations.signatureAttributes(params, context),
    listCipherAttributes: ({ params, context }) => operations.cipherAttributes(params, context),
    signData: ({ params, body, context }) => operations.sign(params, body, context),
    verifyData: ({ params, body, context }) => operations.verify(params, body, context),
    encryptData: ({ params, body, context }) => operations.encrypt(params, body, context),
    decryptData: ({ params, body, context }) => operations.decrypt(params, body, context),
    listRandomAttributes: ({ params, context }) =>
      tokens.definitions(params.tokenInstanceUuid, randomForm, context.signal),
    randomData: ({ params, body, context }) => operations.random(params.tokenInstanceUuid, body, context),
  });
