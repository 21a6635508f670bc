// Stored values of one object and scope, read for display, for connectors, and to fill in values omitted from a
// request.
import type { DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeObject, AttributeScope } from './attribute-terms.ts';
import { presentValues, requestValues, valuesWithDefinitions } from './present.ts';
import { openItem } from './seal-values.ts';
import { requestsStoredSecret, retainSecrets } from './secrets.ts';
import * as store from './store-values.ts';

export function createValueReader({ database, sealer }: Pick<Platform, 'database' | 'sealer'>) {
  const rowsOf = (object: AttributeObject, scope: AttributeScope) =>
    store.findValues(database.executor, store.setOf({ object, scope }));

  /** Returns values with their secrets, as sent to a connector; credentials are referenced, not expanded. */
  async function readForConnector(object: AttributeObject, scope: AttributeScope): Promise<RequestAttributeDto[]> {
    return requestValues(await rowsOf(object, scope), (row) => openItem(row, object, sealer));
  }

  return {
    readForConnector,
    /** Returns values for display, sorted by label and name. */
    read: async (object: AttributeObject, scope: AttributeScope): Promise<ResponseAttributeDto[]> =>
      presentValues(await rowsOf(object, scope), object.resource),
    /** Returns values with their definitions and secrets, as sent for the contents of a credential. */
    readInFull: async (object: AttributeObject, scope: AttributeScope): Promise<DataAttribute[]> =>
      valuesWithDefinitions(await rowsOf(object, scope), (row) => openItem(row, object, sealer)),
    /** Fills in secrets that an update left empty with the stored ones. Must be called before the values are used. */
    async withKeptSecrets(
      { object, scope }: store.ScopeOfObject,
      requested: readonly RequestAttributeDto[],
    ): Promise<RequestAttributeDto[]> {
      const { resource } = object;
      if (!requested.some((attribute) => requestsStoredSecret(attribute, resource))) return [...requested];
      return retainSecrets(requested, await readForConnector(object, scope), resource);
    },
  };
}
