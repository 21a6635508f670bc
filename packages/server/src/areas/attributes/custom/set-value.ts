// Sets the values of one custom attribute of an object of any resource.
import type { Resource, ResponseAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound } from '../../../kernel/errors.ts';
import type { ObjectNames, Platform, ValueHolders } from '../../../platform/platform.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { ContentItem } from '../attribute-terms.ts';
import type { CustomValueStore } from './values.ts';

export interface ObjectValue {
  readonly resourceName: Resource;
  readonly objectUuid: string;
  /** The attribute, by identifier or by name. */
  readonly attribute: { readonly uuid: string } | { readonly name: string };
}

export type ValueOperations = ReturnType<typeof createValueOperations>;

interface Parts {
  readonly audit: AuditTrail;
  readonly values: CustomValueStore;
  /** Lookups provided by areas whose objects have custom attributes. Other resources use `objectNames`. */
  readonly holders: () => ValueHolders;
  readonly objectNames: () => ObjectNames;
}

export function createValueOperations({ database }: Platform, { audit, values, holders, objectNames }: Parts) {
  /** Returns the object if the caller may change it; throws otherwise. */
  async function holderOf({ resourceName, objectUuid }: ObjectValue, context: RequestContext) {
    const find = holders()[resourceName];
    if (find) return find(objectUuid, context);
    const findNames = objectNames()[resourceName];
    if (!findNames)
      throw new AppError('invalid_fields', {
        problems: [`Objects of ${resourceName} do not support custom attributes.`],
      });
    const [named] = await findNames(database.executor, [objectUuid]);
    return requireFound(named, resourceName, objectUuid);
  }

  return {
    /**
     * Returns all values of the object that the caller can see. Empty content removes the attribute's values. `within`
     * runs in the same transaction.
     */
    async set(
      { resourceName: resource, objectUuid, attribute }: ObjectValue,
      content: readonly ContentItem[],
      context: RequestContext,
      within?: (tx: Executor) => Promise<void>,
    ): Promise<ResponseAttributeDto[]> {
      const holder = await holderOf({ resourceName: resource, objectUuid, attribute }, context);
      const object = { resource, uuid: holder.uuid };
      const accepted = await values.acceptOne(object, { attribute, content }, context);
      await database.transaction(async (tx) => {
        await values.write(tx, object, accepted);
        await audit.append(tx, context, {
          objects: [accepted.attribute],
          affiliated: { resource, objects: [holder] },
        });
        await within?.(tx);
      });
      return values.read(object, context);
    },
  };
}
