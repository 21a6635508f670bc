// Attribute callbacks: requests from a form to a connector while it is filled in. Owns: nested_group. Invariants: a
// callback leads to an endpoint that its connector declares, or is answered by the platform itself; a credential is
// sent only for callers who can see it.
import type { Area, Platform } from '../../platform/platform.ts';
import { createParents, type CallbackParent } from './parents.ts';
import { callbackRoutes } from './routes.ts';
import { createCallbackService, type CallbackAreas } from './service.ts';

export type { CallbackParent } from './parents.ts';

export interface Callbacks {
  /** Registers callbacks of objects that have a parent, under their resource, e.g. `raProfiles` below authorities. */
  registerParent(resource: CallbackParent['of'], parent: Omit<CallbackParent, 'of'>): void;
}

export function createCallbacksArea(platform: Platform, areas: CallbackAreas): Area & Callbacks {
  const parents = createParents();
  return {
    routes: callbackRoutes({ service: createCallbackService(platform, areas), parents }),
    registerParent: (of, parent) => parents.register({ of, ...parent }),
  };
}
