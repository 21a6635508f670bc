// Stored values of one object and scope, read for people, for connectors, and for what a request leaves unsaid.
import type { DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeObject, AttributeScope } from './attribute-terms.ts';
import { presentValues, requestValues, valuesInFull } from './present.ts';
import { openedItem } from './seal-values.ts';
import { asksToKeepSecret, keepSecrets } from './secrets.ts';
import * as store from './store-values.ts';

export function createValueReader({ database, sealer }: Pick<Platform, 'database' | 'sealer'>) {
  const rowsOf = (object: AttributeObject, scope: AttributeScope) =>
    store.findValues(database.executor, store.setOf({ object, scope }));

  /** Values with their secrets, as a connector is sent them; credentials are named, not expanded. */
  async function readForConnector(object: AttributeObject, scope: AttributeScope): Promise<RequestAttributeDto[]> {
    return requestValues(await rowsOf(object, scope), (row) => openedItem(row, object, sealer));
  }

  return {
    readForConnector,
    /** Values as they are shown, by label and name. */
    read: async (object: AttributeObject, scope: AttributeScope): Promise<ResponseAttributeDto[]> =>
      presentValues(await rowsOf(object, scope), object.resource),
    /** Values with their definitions and secrets, as the contents of a credential are sent. */
    readInFull: async (object: AttributeObject, scope: AttributeScope): Promise<DataAttribute[]> =>
      valuesInFull(await rowsOf(object, scope), (row) => openedItem(row, object, sealer)),
    /**
     * Fills secrets that an update left empty with the stored ones; to be called before anything looks at the values.
     */
    async withKeptSecrets(
      { object, scope }: store.ScopeOfObject,
      requested: readonly RequestAttributeDto[],
    ): Promise<RequestAttributeDto[]> {
      const { resource } = object;
      if (!requested.some((attribute) => asksToKeepSecret(attribute, resource))) return [...requested];
      return keepSecrets(requested, await readForConnector(object, scope), resource);
    },
  };
}
