// Objects whose attributes are defined by a parent object: attributes of an RA profile by its authority. Areas of
// higher tiers say what they have.
import type { BaseAttributeDto, FunctionGroupCode, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';

/** Where a call-back comes from: definitions that are in force, and the connector that gave them. */
export interface CallbackSource {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly definitions: readonly BaseAttributeDto[];
}

export interface CallbackParent {
  /** Resource whose attributes are asked for. */
  readonly of: Resource;
  /** Resource of the parent; the caller needs a right on it. */
  readonly resource: Resource;
  source(parentUuid: string, context: RequestContext): Promise<CallbackSource>;
}

export type Parents = ReturnType<typeof createParents>;

export function createParents() {
  const known = new Map<Resource, CallbackParent>();
  return {
    register: (parent: CallbackParent): void => {
      known.set(parent.of, parent);
    },
    /** Refuses resources without call-backs (422). */
    require(resource: Resource): CallbackParent {
      const parent = known.get(resource);
      if (parent) return parent;
      throw rejected(
        `There are no call-backs for ${resource}; there are some for ${[...known.keys()].join(', ') || 'none'}.`,
      );
    },
  };
}
