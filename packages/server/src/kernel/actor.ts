// Who acts, and in which request: the facts that authorization and the audit record need. Plain data, no I/O.
import type { Action, AuditFacts, Resource } from '@signetry/contract';

export type ActorType = 'anonymous' | 'core' | 'user' | 'connector' | 'protocol';
export type AuthMethod = 'none' | 'certificate' | 'token' | 'session' | 'apiKey' | 'userProxy';

/** Merged permissions of all roles of a user. Object-level rows refine this per resource. */
export interface PermissionSet {
  readonly allowAllResources: boolean;
  readonly resources: ReadonlyMap<
    Resource,
    { readonly allowAllActions: boolean; readonly actions: ReadonlySet<Action> }
  >;
}

export const noPermissions: PermissionSet = { allowAllResources: false, resources: new Map() };
export const allPermissions: PermissionSet = { allowAllResources: true, resources: new Map() };

export interface Actor {
  readonly type: ActorType;
  readonly authMethod: AuthMethod;
  readonly userUuid: string | null;
  readonly username: string | null;
  readonly permissions: PermissionSet;
}

export const anonymous: Actor = {
  type: 'anonymous',
  authMethod: 'none',
  userUuid: null,
  username: null,
  permissions: noPermissions,
};

/** The platform itself: jobs, first start, reconciliation. */
export const coreActor: Actor = {
  type: 'core',
  authMethod: 'none',
  userUuid: null,
  username: 'signetry',
  permissions: allPermissions,
};

/** Where a request came from, as the audit record shows it. */
export interface RequestSource {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** What travels with a use case: who acts, in which request, and the audit facts of the operation. */
export interface RequestContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly audit: AuditFacts | undefined;
  readonly source: RequestSource | null;
  /** Aborted when the caller went away or the server stops. */
  readonly signal: AbortSignal;
  /** Scheme and authority under which the request reached us, for links in answers. */
  readonly origin: string | null;
}

/** Context of work that no request started. */
export function coreContext(requestId: string, signal: AbortSignal = new AbortController().signal): RequestContext {
  return { actor: coreActor, requestId, audit: undefined, source: null, signal, origin: null };
}

/** May the actor perform `action` on `resource` as a whole? The one place that reads a permission set. */
export function isAllowed(permissions: PermissionSet, resource: Resource, action: Action): boolean {
  if (permissions.allowAllResources) return true;
  const granted = permissions.resources.get(resource);
  if (!granted) return false;
  if (granted.allowAllActions) return true;
  return action === 'ANY' ? granted.actions.size > 0 : granted.actions.has(action);
}
