// Values of custom attributes as they are kept: written, shown to those who may see them, opened for who takes them
// over.
import type { RequestAttributeDto, Resource, ResponseAttributeDto } from '@signetry/contract';
import { isVisible, visibleObjects, type ObjectFilter, type RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CredentialExpansion } from '../credentials.ts';
import type { AttributeObject } from '../attribute-terms.ts';
import { presentValues, requestValues } from '../present.ts';
import { openedItem, rowsToInsert } from '../seal-values.ts';
import * as store from '../store-values.ts';

/** An object whose values are meant, or those that it keeps for objects of another resource that it will make. */
export interface CustomSet extends AttributeObject {
  readonly purpose?: Resource;
}

/** Judged values, and the attributes of which no others may remain. */
export interface AcceptedCustomValues {
  readonly replaced: readonly string[];
  readonly attributes: readonly RequestAttributeDto[];
}

/** Attributes that the caller may use. Protocols act for whoever set their profile up, and see all. */
export const usableBy = ({ actor }: RequestContext): ObjectFilter =>
  actor.type === 'protocol'
    ? { kind: 'all', except: new Set() }
    : visibleObjects(actor.permissions, 'attributes', 'members');

export type StoredValues = ReturnType<typeof createStoredValues>;

export function createStoredValues(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  credentials: Pick<CredentialExpansion, 'hold'>,
) {
  const { executor } = database;
  return {
    async write(tx: Executor, set: CustomSet, { replaced, attributes }: AcceptedCustomValues): Promise<void> {
      await credentials.hold(tx, attributes);
      if (replaced.length > 0) await store.removeCustom(tx, set, replaced);
      const scope = { connectorUuid: null, purpose: set.purpose };
      await store.insertValues(tx, rowsToInsert({ type: 'custom', object: set, scope, attributes }, sealer));
    },
    /** As the caller may see them, by label. */
    async read(set: CustomSet, context: RequestContext): Promise<ResponseAttributeDto[]> {
      const visible = usableBy(context);
      const rows = await store.findCustom(executor, set);
      const seen = rows.filter(({ attribute_uuid: uuid }) => isVisible(visible, uuid));
      return presentValues(seen, set.resource);
    },
    /** All of them with their secrets: never to be shown or logged. */
    async readOpen(set: CustomSet): Promise<RequestAttributeDto[]> {
      return requestValues(await store.findCustom(executor, set), (row) => openedItem(row, set, sealer));
    },
  };
}
