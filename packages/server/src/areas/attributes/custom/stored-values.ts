// Stored values of custom attributes. They are written, filtered for display, and unsealed for copies.
import type { RequestAttributeDto, Resource, ResponseAttributeDto } from '@signetry/contract';
import { isVisible, visibleObjects, type ObjectFilter, type RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CredentialExpansion } from '../credentials.ts';
import type { AttributeObject } from '../attribute-terms.ts';
import { presentValues, requestValues } from '../present.ts';
import { openItem, rowsToInsert } from '../seal-values.ts';
import * as store from '../store-values.ts';

/**
 * Values of an object or, with `purpose`, the values that it stores for objects of another resource that it will
 * create.
 */
export interface CustomValueSet extends AttributeObject {
  readonly purpose?: Resource;
}

/** Validated values, and the attributes whose stored values they replace. */
export interface AcceptedCustomValues {
  readonly replaced: readonly string[];
  readonly attributes: readonly RequestAttributeDto[];
}

/**
 * Returns the attributes that the caller can use. Protocol servers act for the administrator who configured the
 * profile, so they see all.
 */
export const usableAttributes = ({ actor }: RequestContext): ObjectFilter =>
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
    async write(tx: Executor, set: CustomValueSet, { replaced, attributes }: AcceptedCustomValues): Promise<void> {
      await credentials.hold(tx, attributes);
      if (replaced.length > 0) await store.removeCustom(tx, set, replaced);
      const scope = { connectorUuid: null, purpose: set.purpose };
      await store.insertValues(tx, rowsToInsert({ type: 'custom', object: set, scope, attributes }, sealer));
    },
    /** Returns the values that the caller can see, sorted by label. */
    async read(set: CustomValueSet, context: RequestContext): Promise<ResponseAttributeDto[]> {
      const visible = usableAttributes(context);
      const rows = await store.findCustom(executor, set);
      const seen = rows.filter(({ attribute_uuid: uuid }) => isVisible(visible, uuid));
      return presentValues(seen, set.resource);
    },
    /** Returns all values including secrets. They must never be displayed or logged. */
    async readOpen(set: CustomValueSet): Promise<RequestAttributeDto[]> {
      return requestValues(await store.findCustom(executor, set), (row) => openItem(row, set, sealer));
    },
  };
}
