// Call-backs of attributes: what a form asks a connector for while it is filled in. Owns: no table. Invariants: a
// call-back leads to an endpoint that its connector declares, and to nothing else; a credential goes out only for those
// who may see it.
import type { Area } from '../../platform/platform.ts';
import { createParents, type CallbackParent } from './parents.ts';
import { callbackRoutes } from './routes.ts';
import { createCallbackService, type CallbackParts } from './service.ts';

export type { CallbackParent } from './parents.ts';

export interface Callbacks {
  /** Call-backs of objects that have a parent, under their resource, e.g. `raProfiles` below authorities. */
  registerParent(resource: CallbackParent['of'], parent: Omit<CallbackParent, 'of'>): void;
}

export function createCallbacksArea(parts: CallbackParts): Area & Callbacks {
  const parents = createParents();
  return {
    routes: callbackRoutes({ service: createCallbackService(parts), parents }),
    registerParent: (of, parent) => parents.register({ of, ...parent }),
  };
}
