// Objects whose attributes are defined by a parent object, e.g. RA profile attributes by the authority. Higher-tier
// areas register their parent objects here.
import type { BaseAttributeDto, FunctionGroupCode, Resource } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';

/** What a callback is based on: current definitions, and the connector that returned them. */
export interface CallbackSource {
  readonly connectorUuid: string;
  readonly functionGroup: FunctionGroupCode;
  readonly definitions: readonly BaseAttributeDto[];
}

export interface CallbackParent {
  /** Resource whose attributes are requested. */
  readonly of: Resource;
  /** Resource of the parent; the caller needs a permission on it. */
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
    /** Rejects resources without callbacks (422). */
    require(resource: Resource): CallbackParent {
      const parent = known.get(resource);
      if (parent) return parent;
      throw rejected(
        `There are no callbacks for ${resource}; supported resources: ${[...known.keys()].join(', ') || 'none'}.`,
      );
    },
  };
}
