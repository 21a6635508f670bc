// Key generation: the provider generates the key, then the platform records it. A key that cannot be recorded is
// destroyed again; if that fails, the next synchronization of its token finds it.
import {
  cryptographyProviderOperations,
  KEY_PAIR_ATTRIBUTES,
  type KeyDataResponseDto,
  type KeyRequestDto,
  type KeyRequestType,
  type RequestAttributeDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, isAppError, evaluateTogether, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AcceptedCustomValues, AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { explainFailure, isOutcomeUnknown } from '../connectors/index.ts';
import { replaceMemberships, requireGroups } from '../groups/index.ts';
import type { ReachedToken, TokenForm, TokenProfileRow, Tokens } from '../tokens/index.ts';
import { occasionOf } from './occasion.ts';
import { destroyAtProvider, itemsOfKey, type ProvidedItem } from './provider-keys.ts';
import { insertEvents } from './store-events.ts';
import { findByPublicKey, insertItems, keys, removeReferences } from './store.ts';
import type { KeyRow } from './tables.ts';

export interface KeyCreationParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly tokens: Tokens;
}

export interface KeyCreationPath {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
  readonly type: KeyRequestType;
}

const {
  createKeyPair,
  createSecretKey,
  listCreateKeyPairAttributes,
  validateCreateKeyPairAttributes,
  listCreateSecretKeyAttributes,
  validateCreateSecretKeyAttributes,
} = cryptographyProviderOperations;

/** Forms for new keys, by kind. */
export const creationForms: Readonly<Record<KeyRequestType, TokenForm>> = {
  keyPair: {
    list: listCreateKeyPairAttributes,
    validate: validateCreateKeyPairAttributes,
    isOptional: true,
    creates: 'key pairs',
  },
  secret: {
    list: listCreateSecretKeyAttributes,
    validate: validateCreateSecretKeyAttributes,
    isOptional: true,
    creates: 'secret keys',
  },
};

/** Creates a key; returns its identifier. */
export async function createKey(
  parts: KeyCreationParts,
  path: KeyCreationPath,
  request: KeyRequestDto,
  context: RequestContext,
): Promise<string> {
  const { platform, attributes, tokens } = parts;
  const { executor } = platform.database;
  const { tokenInstanceUuid: tokenUuid, tokenProfileUuid: profileUuid, type } = path;
  const profile = await tokens.requireProfile({ profileUuid, tokenUuid });
  if (!profile.enabled) throw rejected(`The token profile ${profile.name} is disabled; enable it first.`);
  // Checked before the provider is called: a key that cannot be recorded must not be created there.
  if (await keys.findByName(executor, request.name)) throw nameTakenError(request.name);
  const groups = await requireGroups(executor, request.groupUuids ?? []);
  const [customValues, accepted] = await evaluateTogether(
    attributes.customValuesOf('keys').accept(request.customAttributes, context),
    tokens.accept(tokenUuid, creationForms[type], { requested: request.attributes, caller: context }),
  );
  const reached = await tokens.reach(tokenUuid);
  const uuid = newUuid();
  const made = await createAtProvider(parts, { reached, profile, type, accepted, uuid, name: request.name }, context);
  platform.faultPoint('key.afterCreation');
  const now = platform.clock.now();
  try {
    const { enabled } = request;
    const facts = { keyUuid: uuid, usages: profile.usages, enabled, now, connector: reached.client.name };
    const items = itemsOfKey(made, facts);
    const row = keyRow({
      uuid,
      request,
      profile,
      context,
      now,
      exportable: type === 'keyPair' && isExportable(accepted),
    });
    const groupUuids = groups.map((group) => group.uuid);
    await record(parts, { row, items, accepted, customValues, groupUuids, reached }, context);
  } catch (error) {
    throw await revertCreation(parts, { reached, made, error: rejectionOf(error, request.name, profile), context });
  }
  return uuid;
}

const nameTakenError = (name: string, cause?: unknown) =>
  new AppError('already_exists', { what: keys.what, name }, { cause });

interface KeyCreation {
  readonly reached: ReachedToken;
  readonly profile: TokenProfileRow;
  readonly type: KeyRequestType;
  readonly accepted: readonly RequestAttributeDto[];
  /** Idempotency key: a provider that replays results generates the key only once. */
  readonly uuid: string;
  readonly name: string;
}

async function createAtProvider(
  { attributes, tokens }: KeyCreationParts,
  { reached: { client, params }, profile, type, accepted, uuid, name }: KeyCreation,
  { signal }: RequestContext,
): Promise<readonly KeyDataResponseDto[]> {
  const body = {
    tokenProfileAttributes: await tokens.profileAttributesToSend(profile),
    createKeyAttributes: await attributes.expandCredentials(accepted),
  };
  const options = { signal, idempotencyKey: uuid };
  try {
    if (type === 'secret') return [await client.call(createSecretKey, { params, body }, options)];
    const { publicKeyData, privateKeyData } = await client.call(createKeyPair, { params, body }, options);
    return [publicKeyData, privateKeyData];
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    throw explainFailure(
      error,
      `it may have created the key ${name} nevertheless: synchronize the keys of the token to import it`,
    );
  }
}

/** Rejects a public key that belongs to an existing key. */
async function assertNew(tx: Executor, items: readonly ProvidedItem[]): Promise<void> {
  const fingerprint = items.find(({ row }) => row.type === 'Public')?.row.public_key_fingerprint ?? null;
  const known = fingerprint === null ? undefined : await findByPublicKey(tx, fingerprint);
  if (known) throw rejected(`The provider returned a key that already exists as ${known.name}.`);
}

function keyRow(made: {
  readonly uuid: string;
  readonly request: KeyRequestDto;
  readonly profile: TokenProfileRow;
  readonly context: RequestContext;
  readonly now: Date;
  readonly exportable: boolean;
}): KeyRow {
  const { uuid, request, profile, context, now, exportable } = made;
  return {
    uuid,
    name: request.name,
    description: request.description || null,
    token_uuid: profile.token_uuid,
    token_profile_uuid: profile.uuid,
    owner_uuid: context.actor.userUuid,
    owner_username: context.actor.userUuid === null ? null : context.actor.username,
    exportable,
    created_at: now,
    updated_at: now,
  };
}

function record(
  { platform, audit, attributes, tokens }: KeyCreationParts,
  made: {
    readonly row: KeyRow;
    readonly items: readonly ProvidedItem[];
    readonly accepted: readonly RequestAttributeDto[];
    readonly customValues: AcceptedCustomValues;
    readonly groupUuids: readonly string[];
    readonly reached: ReachedToken;
  },
  context: RequestContext,
): Promise<void> {
  const { row, items, accepted, customValues, groupUuids, reached } = made;
  const { connectorUuid } = reached.token;
  const object = { resource: 'keys', uuid: row.uuid } as const;
  return platform.database.transaction(async (tx) => {
    // A synchronization may have imported the new key in the meantime; it becomes the requested key.
    await tokens.lock(tx, reached.token.uuid);
    await removeReferences(
      tx,
      reached.token.uuid,
      items.flatMap(({ row: item }) => item.reference ?? []),
    );
    await assertNew(tx, items);
    await keys.insert(tx, row);
    await insertItems(
      tx,
      items.map((item) => item.row),
    );
    await attributes.insertValues(tx, [{ object, scope: { connectorUuid }, attributes: accepted.filter(isKept) }]);
    await storeMetadata(tx, { attributes, connectorUuid }, items);
    if (groupUuids.length > 0) await replaceMemberships(tx, object, groupUuids);
    await attributes.customValuesOf('keys').write(tx, row.uuid, customValues);
    await insertEvents(tx, items.map(created), occasionOf(platform, context));
    await audit.append(tx, context, { objects: [row] });
  });
}

/** Values that served only to create the key, such as the file of an imported key, are not stored. */
const isKept = ({ contentType }: RequestAttributeDto): boolean => contentType !== 'file' && contentType !== 'secret';

const isExportable = (accepted: readonly RequestAttributeDto[]): boolean =>
  accepted.some(({ name, content }) => name === KEY_PAIR_ATTRIBUTES.exportable && content[0]?.data === true);

const created = ({ row }: ProvidedItem) =>
  ({ itemUuid: row.uuid, event: 'Create Key', status: 'SUCCESS', message: 'Created in its token' }) as const;

/** Stores the metadata that the provider returns for key items. */
export const storeMetadata = (
  tx: Executor,
  { attributes, connectorUuid }: { readonly attributes: AttributeEngine; readonly connectorUuid: string },
  items: readonly ProvidedItem[],
): Promise<void> =>
  attributes.appendMetadata(
    tx,
    items.map(({ row, metadata }) => ({ object: { resource: 'keys', uuid: row.uuid }, connectorUuid, metadata })),
  );

function rejectionOf(error: unknown, name: string, profile: TokenProfileRow): unknown {
  if (isUniqueViolation(error, 'key_name_key')) return nameTakenError(name, error);
  return isForeignKeyViolation(error)
    ? rejected(`The token profile ${profile.name} was removed while the key was being created.`)
    : error;
}

/** Also destroys a key at its provider if it cannot be recorded. The error states whether the key remains there. */
async function revertCreation(
  { platform }: KeyCreationParts,
  failed: {
    readonly reached: ReachedToken;
    readonly made: readonly KeyDataResponseDto[];
    readonly error: unknown;
    readonly context: RequestContext;
  },
): Promise<unknown> {
  const { reached, made, error, context } = failed;
  try {
    for (const { uuid } of made) await destroyAtProvider(reached, uuid, context.signal);
    return error;
  } catch (cause) {
    const references = made.map(({ uuid }) => uuid);
    platform.log.error(
      { error: cause, token: reached.token.name, references },
      'a key that could not be recorded remains in its token',
    );
    if (!isAppError(error)) return error;
    return rejected(
      error.message,
      `Token ${reached.token.name} still contains the new key: synchronize its keys to import it.`,
    );
  }
}
