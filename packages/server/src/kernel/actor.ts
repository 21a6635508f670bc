// The actor and the request: the data that authorization and the audit record need. Plain data, no I/O.
import type { Action, AuditFacts, Operation, Resource } from '@signetry/contract';
import { newUuid } from './ids.ts';

export type ActorType = 'anonymous' | 'core' | 'user' | 'connector' | 'protocol';
export type AuthMethod = 'none' | 'certificate' | 'token' | 'session' | 'apiKey' | 'userProxy';

/** Merged permissions from all of a user's roles. */
export interface PermissionSet {
  readonly allowAllResources: boolean;
  readonly resources: ReadonlyMap<Resource, ResourceRights>;
}

export interface ResourceRights {
  readonly allowAllActions: boolean;
  readonly actions: ReadonlySet<Action>;
  /** Permissions on individual objects, by lowercase identifier. */
  readonly objects?: ReadonlyMap<string, ObjectRights>;
}

export interface ObjectRights {
  /** Does not contain denied actions. */
  readonly allowed: ReadonlySet<Action>;
  /** Takes precedence over every grant. */
  readonly denied: ReadonlySet<Action>;
}

export const noPermissions: PermissionSet = { allowAllResources: false, resources: new Map() };
export const allPermissions: PermissionSet = { allowAllResources: true, resources: new Map() };

export interface Actor {
  readonly type: ActorType;
  readonly authMethod: AuthMethod;
  readonly userUuid: string | null;
  readonly username: string | null;
  readonly permissions: PermissionSet;
  /** Access token with which the caller authenticated. */
  readonly accessTokenUuid?: string;
  /** Set if the token's scope limits the user's permissions. */
  readonly hasScope?: true;
  /** Browser session with which the caller authenticated. */
  readonly sessionUuid?: string;
}

export const anonymous: Actor = {
  type: 'anonymous',
  authMethod: 'none',
  userUuid: null,
  username: null,
  permissions: noPermissions,
};

/** The platform itself: jobs, first start and reconciliation. */
export const coreActor: Actor = {
  type: 'core',
  authMethod: 'none',
  userUuid: null,
  username: 'signetry',
  permissions: allPermissions,
};

/** A request's origin, as shown in the audit record. */
export interface RequestSource {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

export interface RequestParameters {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Data and checks that are needed while a streaming response is being sent. */
export interface StreamingContext {
  /** Last event that the caller received before the connection was lost (HTML Living Standard, 9.2.4). */
  readonly lastEventId: string | undefined;
  /**
   * Returns the caller with current permissions; throws if the credential has expired or the call is no longer allowed.
   */
  readonly again: () => Promise<Actor>;
}

/** Context of a use case: the actor, the request, and the audit facts of the operation. */
export interface RequestContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly audit: AuditFacts | undefined;
  /** Audit facts of a read-only operation. */
  readonly read?: AuditFacts | undefined;
  /** Unvalidated request parameters, for verbose audit records. */
  readonly parameters?: RequestParameters;
  readonly source: RequestSource | null;
  /** Present for HTTP requests; used by streaming responses. */
  readonly lasting?: StreamingContext;
  /** Aborted when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Scheme and authority of the request URL, for links in responses. */
  readonly origin: string | null;
}

/** Returns a context for work that was not started by a request. */
export function coreContext(requestId: string, signal: AbortSignal = new AbortController().signal): RequestContext {
  return { actor: coreActor, requestId, audit: undefined, source: null, signal, origin: null };
}

/** Returns a context for work that was not started by a request but is audited as an operation. */
export const coreContextFor = ({ audit }: Pick<Operation, 'audit'>): RequestContext => ({
  ...coreContext(newUuid()),
  audit,
});

/**
 * Returns whether the actor can perform `action` on all of these objects, or on the whole resource if none is
 * specified. For groups, membership of one is sufficient. Only this function, `isAllowedOnSome` and `visibleObjects`
 * read permission sets.
 */
export function isAllowed(
  permissions: PermissionSet,
  resource: Resource,
  action: Action,
  objects: readonly string[] = [],
): boolean {
  const granted = permissions.resources.get(resource);
  const rights = objects.map((uuid) => granted?.objects?.get(uuid.toLowerCase()));
  if (rights.some((right) => right?.denied.has(action))) return false;
  if (permissions.allowAllResources || (granted && allowsAlways(granted, action))) return true;
  if (rights.length === 0) return action === 'ANY' && allowsOnSome(granted, action);
  const isGranted = (right: ObjectRights | undefined): boolean => right !== undefined && holds(right.allowed, action);
  return resource === 'groups' && action === 'members' ? rights.some(isGranted) : rights.every(isGranted);
}

/** Returns whether the actor can perform `action` on the whole resource or on at least one object. */
export const isAllowedOnSome = (permissions: PermissionSet, resource: Resource, action: Action): boolean =>
  isAllowed(permissions, resource, action) || allowsOnSome(permissions.resources.get(resource), action);

const allowsOnSome = (rights: ResourceRights | undefined, action: Action): boolean =>
  rights !== undefined && holds(actionsOnSome(rights), action);

/** Actions allowed on at least one object, cached for as long as the permissions are cached. */
const onSome = new WeakMap<ResourceRights, ReadonlySet<Action>>();

function actionsOnSome(rights: ResourceRights): ReadonlySet<Action> {
  const known = onSome.get(rights);
  if (known) return known;
  const found = new Set([...(rights.objects?.values() ?? [])].flatMap(({ allowed }) => [...allowed]));
  onSome.set(rights, found);
  return found;
}

/** Objects of a resource that an actor can see: all objects with exceptions, or only specific ones. */
export type ObjectFilter =
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }
  | { readonly kind: 'only'; readonly uuids: ReadonlySet<string> };

/** Returns the objects on which the actor can perform the action; used for lists. */
export function visibleObjects(permissions: PermissionSet, resource: Resource, action: Action): ObjectFilter {
  const granted = permissions.resources.get(resource);
  const objects = [...(granted?.objects ?? [])];
  const denied = objects.filter(([, { denied }]) => denied.has(action)).map(([uuid]) => uuid);
  if (permissions.allowAllResources || (granted && allowsAlways(granted, action)))
    return { kind: 'all', except: new Set(denied) };
  const allowed = objects.filter(([, right]) => holds(right.allowed, action) && !right.denied.has(action));
  return { kind: 'only', uuids: new Set(allowed.map(([uuid]) => uuid)) };
}

export const isVisible = (filter: ObjectFilter, uuid: string): boolean =>
  filter.kind === 'all' ? !filter.except.has(uuid) : filter.uuids.has(uuid);

/** Returns whether the filter shows at least one object. */
export const showsAny = (filter: ObjectFilter): boolean => filter.kind === 'all' || filter.uuids.size > 0;

/** Returns whether the filter hides no objects. */
export const isUnlimited = (filter: ObjectFilter): boolean => filter.kind === 'all' && filter.except.size === 0;

const allowsAlways = ({ allowAllActions, actions }: ResourceRights, action: Action): boolean =>
  allowAllActions || holds(actions, action);

/** `ANY` matches any action. */
const holds = (actions: ReadonlySet<Action>, action: Action): boolean =>
  action === 'ANY' ? actions.size > 0 : actions.has(action);
