// API operations on keys and with keys.
import {
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
  compromising,
  enabling,
  givingPossibleUsages,
  givingUsages,
  type ChosenItems,
  type ItemChange,
} from './change-items.ts';
import { withinReach } from './access.ts';
import { createKey, creationForms, type KeyCreationPath } from './create-key.ts';
import { randomForm, type CryptographicOperations } from './cryptographic-operations.ts';
import { destroyItems, type Ending } from './destroy-items.ts';
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
  ...ofKeys(parts).map((route) => withinReach(route, parts.platform.database.executor)),
  ...withKeys(parts),
];

function ofKeys(parts: KeyRouteParts): readonly Route[] {
  const { reads, tokens } = parts;
  return routes(keyManagementOperations, {
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
    ...changes(parts),
    ...endings(parts),
  });
}

async function creationAttributes(
  tokens: Tokens,
  { tokenInstanceUuid: tokenUuid, tokenProfileUuid: profileUuid, type }: KeyCreationPath,
  { signal }: RequestContext,
) {
  await tokens.requireProfile({ profileUuid, tokenUuid });
  return tokens.definitions(tokenUuid, creationForms[type], signal);
}

interface OnKey<Body> {
  readonly params: KeyPath;
  readonly body: Body;
  readonly context: RequestContext;
}
interface OnMany<Body> {
  readonly body: Body;
  readonly context: RequestContext;
}

type Items = readonly string[] | undefined;

function changes(parts: KeyRouteParts) {
  const change = (chosen: ChosenItems, change: ItemChange, context: RequestContext) =>
    changeItems(parts, chosen, { change, context });
  const enable =
    (enabled: boolean) =>
    ({ params, body, context }: OnKey<Items>) =>
      change({ key: params, items: body ?? [] }, enabling(enabled), context);
  const setUsages = ({ params, body: { usage, uuids = [] }, context }: OnKey<UpdateKeyUsageRequestDto>) =>
    change(
      { key: params, items: uuids },
      uuids.length === 0 ? givingPossibleUsages(usage) : givingUsages(usage),
      context,
    );
  const compromise = ({ params, body: { reason, uuids = [] }, context }: OnKey<CompromiseKeyRequestDto>) =>
    change({ key: params, items: uuids }, compromising(reason), context);
  return {
    enableKey: enable(true),
    enableKeyWithToken: enable(true),
    disableKey: enable(false),
    disableKeyWithToken: enable(false),
    updateKeyUsages: setUsages,
    updateKeyUsagesWithToken: setUsages,
    compromiseKey: compromise,
    compromiseKeyWithToken: compromise,
    enableKeys: ({ body, context }: OnMany<readonly string[]>) => change({ keys: body }, enabling(true), context),
    disableKeys: ({ body, context }: OnMany<readonly string[]>) => change({ keys: body }, enabling(false), context),
    updateKeysUsages: ({ body: { uuids = [], usage }, context }: OnMany<UpdateKeyUsageRequestDto>) =>
      change({ keys: uuids }, givingPossibleUsages(usage), context),
    compromiseKeys: ({ body: { uuids = [], reason }, context }: OnMany<CompromiseKeyRequestDto>) =>
      change({ keys: uuids }, compromising(reason), context),
    enableKeyItems: ({ body, context }: OnMany<readonly string[]>) => change({ items: body }, enabling(true), context),
    disableKeyItems: ({ body, context }: OnMany<readonly string[]>) =>
      change({ items: body }, enabling(false), context),
    updateKeyItemUsages: ({ body: { uuids = [], usage }, context }: OnMany<UpdateKeyUsageRequestDto>) =>
      change({ items: uuids }, givingUsages(usage), context),
    compromiseKeyItems: ({ body: { uuids = [], reason }, context }: OnMany<CompromiseKeyRequestDto>) =>
      change({ items: uuids }, compromising(reason), context),
  };
}

function endings(parts: KeyRouteParts) {
  const ofKey =
    (ending: Ending) =>
    ({ params, body, context }: OnKey<Items>) =>
      destroyItems(parts, { key: params, items: body ?? [] }, { ending, context });
  const ofMany =
    (chosen: (uuids: readonly string[]) => ChosenItems, ending: Ending) =>
    ({ body, context }: OnMany<readonly string[]>) =>
      destroyItems(parts, chosen(body), { ending, context });
  const [wholeKeys, singleItems] = [
    (uuids: readonly string[]) => ({ keys: uuids }),
    (uuids: readonly string[]) => ({ items: uuids }),
  ];
  return {
    destroyKey: ofKey('destroy'),
    destroyKeyWithToken: ofKey('destroy'),
    deleteKey: ofKey('delete'),
    deleteKeyWithToken: ofKey('delete'),
    destroyKeys: ofMany(wholeKeys, 'destroy'),
    deleteKeys: ofMany(wholeKeys, 'delete'),
    destroyKeyItems: ofMany(singleItems, 'destroy'),
    deleteKeyItems: ofMany(singleItems, 'delete'),
  };
}

const withKeys = ({ operations, tokens }: KeyRouteParts): readonly Route[] =>
  routes(keyUseOperations, {
    listSignatureAttributes: ({ params }) => operations.signatureAttributes(params),
    listCipherAttributes: ({ params }) => operations.cipherAttributes(params),
    signData: ({ params, body, context }) => operations.sign(params, body, context),
    verifyData: ({ params, body, context }) => operations.verify(params, body, context),
    encryptData: ({ params, body, context }) => operations.encrypt(params, body, context),
    decryptData: ({ params, body, context }) => operations.decrypt(params, body, context),
    listRandomAttributes: ({ params, context }) =>
      tokens.definitions(params.tokenInstanceUuid, randomForm, context.signal),
    randomData: ({ params, body, context }) => operations.random(params.tokenInstanceUuid, body, context),
  });
