// Who acts, and in which request: the facts that authorization and the audit record need. Plain data, no I/O.
import type { Action, AuditFacts, Operation, Resource } from '@signetry/contract';
import { newUuid } from './ids.ts';

export type ActorType = 'anonymous' | 'core' | 'user' | 'connector' | 'protocol';
export type AuthMethod = 'none' | 'certificate' | 'token' | 'session' | 'apiKey' | 'userProxy';

/** Merged permissions of all roles of a user. */
export interface PermissionSet {
  readonly allowAllResources: boolean;
  readonly resources: ReadonlyMap<Resource, ResourceRights>;
}

export interface ResourceRights {
  readonly allowAllActions: boolean;
  readonly actions: ReadonlySet<Action>;
  /** What single objects refine, by identifier in lower case. */
  readonly objects?: ReadonlyMap<string, ObjectRights>;
}

export interface ObjectRights {
  /** Nothing that is denied. */
  readonly allowed: ReadonlySet<Action>;
  /** Wins over everything that allows. */
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
  /** The access token that the caller came with. */
  readonly accessTokenUuid?: string;
  /** The token bounds what its user may do. */
  readonly hasScope?: true;
  /** The browser session that the caller came with. */
  readonly sessionUuid?: string;
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

export interface RequestParameters {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** What an answer that lasts asks again while it is sent. */
export interface Lasting {
  /** Where the caller was before the connection was cut (HTML Living Standard, 9.2.4). */
  readonly lastEventId: string | undefined;
  /** The caller with the rights of now; throws when the credential ended, or the call is not allowed any more. */
  readonly again: () => Promise<Actor>;
}

/** What travels with a use case: who acts, in which request, and the audit facts of the operation. */
export interface RequestContext {
  readonly actor: Actor;
  readonly requestId: string;
  readonly audit: AuditFacts | undefined;
  /** The same of an operation that changes nothing. */
  readonly read?: AuditFacts | undefined;
  /** What the caller sent, unchecked; for verbose audit records. */
  readonly parameters?: RequestParameters;
  readonly source: RequestSource | null;
  /** Of requests that come over HTTP, for answers that last. */
  readonly lasting?: Lasting;
  /** Aborted when the caller went away or the server stops. */
  readonly signal: AbortSignal;
  /** Scheme and authority under which the request reached us, for links in answers. */
  readonly origin: string | null;
}

/** Context of work that no request started. */
export function coreContext(requestId: string, signal: AbortSignal = new AbortController().signal): RequestContext {
  return { actor: coreActor, requestId, audit: undefined, source: null, signal, origin: null };
}

/** Context of work that no request started, but that does what an operation does and is audited as it. */
export const coreContextFor = ({ audit }: Pick<Operation, 'audit'>): RequestContext => ({
  ...coreContext(newUuid()),
  audit,
});

/**
 * May the actor perform `action` on each of these objects, or on the resource as a whole when none is named? To be a
 * member of one of several groups is enough. This, `isAllowedOnSome` and `visibleObjects` are the only places that read
 * a permission set.
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
  const isGiven = (right: ObjectRights | undefined): boolean => right !== undefined && holds(right.allowed, action);
  return resource === 'groups' && action === 'members' ? rights.some(isGiven) : rights.every(isGiven);
}

/** May the actor perform `action` on the resource as a whole, or on one of its objects at least? */
export const isAllowedOnSome = (permissions: PermissionSet, resource: Resource, action: Action): boolean =>
  isAllowed(permissions, resource, action) || allowsOnSome(permissions.resources.get(resource), action);

const allowsOnSome = (rights: ResourceRights | undefined, action: Action): boolean =>
  rights !== undefined && holds(allowedOnSome(rights), action);

/** What was found out about rights on many objects, for as long as the rights are remembered. */
const onSome = new WeakMap<ResourceRights, ReadonlySet<Action>>();

function allowedOnSome(rights: ResourceRights): ReadonlySet<Action> {
  const known = onSome.get(rights);
  if (known) return known;
  const found = new Set([...(rights.objects?.values() ?? [])].flatMap(({ allowed }) => [...allowed]));
  onSome.set(rights, found);
  return found;
}

/** The objects of a resource that an actor may see: all but some, or only some. */
export type ObjectFilter =
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }
  | { readonly kind: 'only'; readonly uuids: ReadonlySet<string> };

/** The objects that the actor may perform the action on, for lists. */
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

/** Is there anything that the filter may show? */
export const showsAny = (filter: ObjectFilter): boolean => filter.kind === 'all' || filter.uuids.size > 0;

/** Is there nothing that the filter hides? */
export const isUnlimited = (filter: ObjectFilter): boolean => filter.kind === 'all' && filter.except.size === 0;

const allowsAlways = ({ allowAllActions, actions }: ResourceRights, action: Action): boolean =>
  allowAllActions || holds(actions, action);

/** `ANY` asks for any action. */
const holds = (actions: ReadonlySet<Action>, action: Action): boolean =>
  action === 'ANY' ? actions.size > 0 : actions.has(action);
