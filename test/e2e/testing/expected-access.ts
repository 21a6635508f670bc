// Expected access of every kind of caller to an operation, derived from its declaration. Written independently of the
// platform's own decision, with which it is compared.
import {
  ownObjectsInBody,
  platformOperations,
  Resource,
  resourceFlags,
  type AdditionalPermission,
  type Operation,
  type Permission,
} from '@signetry/contract';
import type { Call } from './declared-calls.ts';

/**
 * Kinds of callers. `other`: every permission, but only on objects that no call names. `denied`: every permission,
 * denied on the objects that calls name. `parent`: every permission, denied only on the parents of those objects.
 * `group`, `owner`: no permission, but member of the group, or owner, of the objects that calls name.
 */
export const COLUMNS = ['anonymous', 'none', 'other', 'denied', 'parent', 'group', 'full', 'owner'] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * `hidden`: rejected, or answered as if the object did not exist. `either`: cannot be derived from the request alone.
 */
export type ExpectedOutcome = 'unauthenticated' | 'refused' | 'hidden' | 'allowed' | 'either';

/** A permission that a call requires, with the objects that it names. */
interface Requirement {
  readonly resource: Resource;
  readonly action: string;
  readonly filtered: boolean;
  readonly objects: readonly string[];
}

export interface Cell {
  readonly operation: Operation;
  readonly call: Call;
  readonly column: Column;
  /** The objects on which `other` has permissions, and those denied to the caller of the column; one per resource. */
  readonly others: ReadonlyMap<Resource, string>;
  readonly denied: ReadonlyMap<Resource, string>;
}

/** Resources whose objects are parents of others in some operation. Groups share their contents with their members. */
export const parentResources: ReadonlySet<string> = new Set([
  'groups',
  ...Object.values<Operation>(platformOperations).flatMap(({ access, also = [] }) => [
    ...(typeof access === 'object' && access.parent?.object !== undefined ? [access.parent.resource] : []),
    ...also.filter(({ action }) => action === 'members').map(({ resource }) => resource),
  ]),
]);

export function expectedOutcomeOf(cell: Cell): ExpectedOutcome {
  const { access, also = [] } = cell.operation;
  if (access === 'public') return 'allowed';
  if (cell.column === 'anonymous' || access === 'bootstrap') return 'unauthenticated';
  if (cell.column === 'full') return 'allowed';
  if (!isOwnList(cell) && !requirementsOf(cell).every((right) => hasRight(cell, right))) return 'refused';
  const conditions = also.filter(({ where }) => where !== undefined).map((right) => conditionOf(cell, right));
  if (conditions.includes('hidden')) return 'hidden';
  return conditions.includes('either') ? 'either' : 'allowed';
}

/** Lists include the caller's own objects, and those in the caller's groups. */
function isOwnList({ operation: { access }, column, others }: Cell): boolean {
  if (typeof access !== 'object' || !access.filtered) return false;
  const { hasOwner, hasGroups } = flagsOf(access);
  return hasOwner || (hasGroups && (column === 'group' || (column === 'other' && others.has('groups'))));
}

const flagsOf = ({ resource }: Pick<Permission, 'resource'>) =>
  resourceFlags(resource.startsWith('{') ? 'NONE' : Resource.parse(resource));

function requirementsOf({ operation, call }: Cell): readonly Requirement[] {
  const { access, also = [] } = operation;
  const inPath = (name: string | undefined) => (name === undefined ? [] : [String(call.params[name])]);
  const toRequirement = (right: Permission | AdditionalPermission, objects: readonly string[]): Requirement => ({
    resource: Resource.parse(right.resource.startsWith('{') ? inPath(right.resource.slice(1, -1))[0] : right.resource),
    action: right.action,
    filtered: 'filtered' in right && right.filtered === true,
    objects,
  });
  const named = ownObjectsInBody(operation);
  const inBody = named === undefined ? [] : textsAt(call.body, named);
  const own = typeof access === 'object' ? [toRequirement(access, access.object ? inPath(access.object) : inBody)] : [];
  const parent =
    typeof access === 'object' && access.parent ? [toRequirement(access.parent, inPath(access.parent.object))] : [];
  const further = also
    .filter(({ where }) => where === undefined)
    .map((right) => [right, right.named ? textsAt(call.body, right.named) : inPath(right.object)] as const)
    .filter(([{ named }, objects]) => named === undefined || objects.length > 0)
    .map(([right, objects]) => toRequirement(right, objects));
  return [...own, ...parent, ...further];
}

function textsAt(body: unknown, path: string): readonly string[] {
  let value = body;
  for (const name of path === '$' ? [] : path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '');
}

function hasRight({ column, others, denied }: Cell, { resource, action, filtered, objects }: Requirement): boolean {
  if (resource === 'ANY') return false; // Only callers with all permissions have it.
  const { hasOwner, hasGroups } = resourceFlags(resource);
  switch (column) {
    case 'denied':
    case 'parent':
      return !objects.includes(denied.get(resource) ?? '');
    case 'other':
      return objects.length === 0 && (filtered || action === 'ANY') && others.has(resource);
    case 'owner':
      return hasOwner && objects.length > 0;
    case 'group':
      return hasGroups && objects.length > 0 && (action === 'list' || action === 'detail');
    default:
      return false;
  }
}

/** Conditions that calls meet: the certificate that they name has an RA profile, and the key a token. */
const FULFILLED = ['the certificate has an RA profile', 'the key is in a token'];

function conditionOf({ operation, column }: Cell, { where = '', action }: AdditionalPermission): ExpectedOutcome {
  if (action !== 'members' || !FULFILLED.some((condition) => where.startsWith(condition))) return 'either';
  const { access } = operation;
  const namesObject =
    typeof access === 'object' && (access.object !== undefined || ownObjectsInBody(operation) !== undefined);
  if (!namesObject) return 'either';
  if (column === 'denied' || column === 'parent') return 'hidden';
  return column === 'owner' || column === 'group' ? 'allowed' : 'either';
}
