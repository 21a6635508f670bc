// Use cases for a role's permissions on everything, on resources and on individual objects. Permissions of system roles
// cannot be changed, and callers cannot grant permissions that they do not have.
import type {
  EffectivePermissionsDto,
  ObjectPermissionsDto,
  ObjectPermissionsRequestDto,
  ResourcePermissionsDto,
  RolePermissionsRequestDto,
  SubjectPermissionsDto,
} from '@signetry/contract';
import type { PermissionSet, RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { describeEffective, describePermissions, namesOf } from '../permissions/describe.ts';
import { mergePermissions, presentResource } from '../permissions/permission-rows.ts';
import { assertChangeHeld } from '../permissions/held.ts';
import type { PermissionObjects } from '../permissions/objects.ts';
import { readObjects, readPermissions, resourceOf, type ObjectRows } from '../permissions/read-request.ts';
import * as store from '../permissions/store.ts';
import type { RoleRow } from '../tables.ts';
import type { Administration } from '../users/administration.ts';
import { requireChangeableRole } from './service.ts';
import { roles } from '../permissions/store-roles.ts';

export type RolePermissions = ReturnType<typeof createRolePermissions>;

/** A role and a resource, as specified in API paths. */
export interface RoleResource {
  readonly roleUuid: string;
  readonly resourceUuid: string;
}

/**
 * Maximum length, in characters, of changes that are copied to the audit record: about as much as a user would enter by
 * hand.
 */
const MAX_DESCRIBED = 10_000;

export interface RolePermissionsParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly objects: PermissionObjects;
}

export function createRolePermissions({ database }: Platform, parts: RolePermissionsParts) {
  const { executor } = database;
  const { objects: known } = parts;

  async function describeForRole(roleUuid: string): Promise<SubjectPermissionsDto> {
    await roles.require(executor, roleUuid);
    return describePermissions(executor, await permissionsOf(executor, roleUuid), {
      objects: known,
      withInherited: true,
    });
  }

  const effectiveOf = async (roleUuid: string): Promise<EffectivePermissionsDto> =>
    describeEffective(executor, [await roles.require(executor, roleUuid)], known);

  async function describeForResource({ roleUuid, resourceUuid }: RoleResource): Promise<ResourcePermissionsDto> {
    await roles.require(executor, roleUuid);
    const resource = resourceOf(resourceUuid);
    const permissions = await permissionsOf(executor, roleUuid);
    const names = await namesOf(executor, { permissions, objects: known });
    return presentResource(permissions, resource, { names, withInherited: true });
  }

  const objectsOf = async (key: RoleResource): Promise<ObjectPermissionsDto[]> =>
    (await describeForResource(key)).objects;

  /**
   * Replaces permissions on resources. Replaces permissions on objects only for resources whose objects the request
   * specifies.
   */
  async function save(
    roleUuid: string,
    request: RolePermissionsRequestDto,
    context: RequestContext,
  ): Promise<SubjectPermissionsDto> {
    const { rows, objects } = readPermissions(request, known);
    await change(parts, roleUuid, { context, request }, async (tx, role) => {
      await store.replaceForRole(tx, role.uuid, rows);
      for (const each of objects) await storeObjects(tx, role, { ...each, known, all: true });
    });
    return describeForRole(roleUuid);
  }

  /** Replaces the permissions that the role already has on these objects. */
  async function addObjects(
    { roleUuid, resourceUuid }: RoleResource,
    objects: readonly ObjectPermissionsRequestDto[],
    context: RequestContext,
  ): Promise<void> {
    const resource = resourceOf(resourceUuid);
    await change(parts, roleUuid, { context, request: { resource, objects } }, async (tx, role) => {
      const { rows: inherited } = await store.findByRole(tx, role.uuid);
      await storeObjects(tx, role, { ...readObjects(resource, { objects, inherited, known }), known, all: false });
    });
  }

  /** Updates the object in the path, regardless of the body. */
  const updateObject = (
    { objectUuid, ...key }: RoleResource & { readonly objectUuid: string },
    object: ObjectPermissionsRequestDto,
    context: RequestContext,
  ): Promise<void> => addObjects(key, [{ ...object, uuid: objectUuid }], context);

  /** Removes permissions on an object, even if it was deleted; does nothing if there are none. */
  async function removeObject(
    { roleUuid, resourceUuid, objectUuid }: RoleResource & { readonly objectUuid: string },
    context: RequestContext,
  ): Promise<void> {
    const resource = resourceOf(resourceUuid);
    await change(parts, roleUuid, { context, request: { resource, removed: objectUuid } }, (tx, role) =>
      store.replaceForObjects(tx, { roleUuid: role.uuid, resource, objectUuids: [objectUuid] }, []),
    );
  }

  return { describeForRole, effectiveOf, describeForResource, objectsOf, save, addObjects, updateObject, removeObject };
}

/** Changes a role, unless its holders would gain a permission that the caller does not have. */
async function change(
  { audit, administration }: RolePermissionsParts,
  roleUuid: string,
  { context, request }: { readonly context: RequestContext; readonly request: object },
  work: (tx: Executor, role: RoleRow) => Promise<void>,
): Promise<void> {
  await administration.change(async (tx) => {
    const role = await requireChangeableRole(tx, roleUuid, context);
    const before = await permissionsOf(tx, role.uuid);
    await work(tx, role);
    // Otherwise callers who can change roles could grant themselves any permission through a role that they hold.
    assertChangeHeld(context, { before, after: await permissionsOf(tx, role.uuid), name: `role ${role.name}` });
    await audit.append(tx, context, {
      objects: [role],
      ...(JSON.stringify(request).length <= MAX_DESCRIBED ? { data: request } : {}),
    });
  });
}

async function permissionsOf(executor: Executor, roleUuid: string): Promise<PermissionSet> {
  const { rows, objectRows } = await store.findByRole(executor, roleUuid);
  return mergePermissions(rows, objectRows);
}

async function storeObjects(
  tx: Executor,
  role: RoleRow,
  {
    resource,
    objectUuids,
    rows,
    known,
    all,
  }: ObjectRows & { readonly known: PermissionObjects; readonly all: boolean },
): Promise<void> {
  const there = new Set((await known.find(tx, resource, objectUuids)).map(({ uuid }) => uuid));
  const missing = objectUuids.find((uuid) => !there.has(uuid));
  if (missing !== undefined) throw notFound(`Object of ${resource}`, missing);
  await store.replaceForObjects(tx, { roleUuid: role.uuid, resource, ...(all ? {} : { objectUuids }) }, rows);
}
