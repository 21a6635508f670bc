// Imports keys that a token contains but the platform does not know, because they were created by other software or by
// an interrupted operation. They are imported as disabled, without usages or a token profile; an administrator assigns
// these.
import { cryptographyProviderOperations, type KeyDataResponseDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ReachedToken, Tokens } from '../tokens/index.ts';
import { storeMetadata } from './create-key.ts';
import { occasionOf } from './occasion.ts';
import { itemsOfKey } from './provider-keys.ts';
import { insertEvents } from './store-events.ts';
import { findReferences, insertItems, keys } from './store.ts';
import type { KeyRow } from './tables.ts';

export interface KeySyncParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly tokens: Tokens;
}

export async function syncKeys(parts: KeySyncParts, tokenUuid: string, context: RequestContext): Promise<void> {
  const { platform, audit, tokens } = parts;
  const reached = await tokens.reach(tokenUuid);
  const { client, params, token } = reached;
  const { signal } = context;
  const held = await client.call(cryptographyProviderOperations.listKeys, { params }, { signal });
  await platform.database.transaction(async (tx) => {
    // Two simultaneous runs would import the same keys.
    await tokens.lock(tx, tokenUuid);
    const known = await findReferences(tx, tokenUuid);
    const groups = Map.groupBy(
      held.filter(({ uuid }) => !known.has(uuid)),
      ({ association, uuid }) => association ?? uuid,
    );
    const takenOver: KeyRow[] = [];
    for (const provided of groups.values()) takenOver.push(await takeOver(tx, parts, { provided, reached, context }));
    const present = new Set(held.map(({ uuid }) => uuid));
    const missing = [...known].filter((reference) => !present.has(reference));
    if (missing.length > 0)
      platform.log.warn(
        { token: token.name, references: missing },
        'a token no longer contains some of its known keys',
      );
    await audit.append(tx, context, {
      objects: takenOver,
      affiliated: { resource: 'tokens', objects: [{ uuid: token.uuid, name: token.name }] },
      data: { takenOver: takenOver.length, known: known.size, noLongerHeld: missing },
    });
  });
}

async function takeOver(
  tx: Executor,
  { platform, attributes }: KeySyncParts,
  found: {
    readonly provided: readonly KeyDataResponseDto[];
    readonly reached: ReachedToken;
    readonly context: RequestContext;
  },
): Promise<KeyRow> {
  const { provided, reached, context } = found;
  const { token, client } = reached;
  const [uuid, now] = [newUuid(), platform.clock.now()];
  const items = itemsOfKey(provided, { keyUuid: uuid, usages: 0, enabled: false, now, connector: client.name });
  const row: KeyRow = {
    uuid,
    name: await findFreeName(tx, provided[0]?.name || `Key of ${token.name}`),
    description: null,
    token_uuid: token.uuid,
    token_profile_uuid: null,
    owner_uuid: null,
    owner_username: null,
    exportable: false,
    created_at: now,
    updated_at: now,
  };
  await keys.insert(tx, row);
  await insertItems(
    tx,
    items.map((item) => item.row),
  );
  await storeMetadata(tx, { attributes, connectorUuid: token.connectorUuid }, items);
  await insertEvents(
    tx,
    items.map(({ row: item }) => ({
      itemUuid: item.uuid,
      event: 'Create Key',
      status: 'SUCCESS',
      message: `Found in token ${token.name}`,
    })),
    occasionOf(platform, context),
  );
  return row;
}

/** Names are unique on the platform, but not at providers. */
async function findFreeName(tx: Executor, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} (${number})`;
    if (!(await keys.findByName(tx, name))) return name;
  }
}
