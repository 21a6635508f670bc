// Resources that the rules engine evaluates and changes, connected to their areas.
import {
  certificateOperations,
  customAttributeOperations,
  type CertificateUpdateObjectsDto,
  type Resource,
} from '@signetry/contract';
import { isAllowed, type RequestContext } from '../kernel/actor.ts';
import { rejected } from '../kernel/errors.ts';
import { readFilters } from '../kernel/filter/read-filters.ts';
import { isObject } from '../kernel/is-object.ts';
import type { EvaluatedObjects } from '../platform/database/filter/read-values.ts';
import { runSearch } from '../platform/database/filter/run-search.ts';
import type { Platform } from '../platform/platform.ts';
import { evaluatedApprovals } from '../areas/approvals/index.ts';
import type { AttributesArea } from '../areas/attributes/index.ts';
import type { CertificatesArea } from '../areas/certificates/index.ts';
import type { InventoryArea } from '../areas/inventory/index.ts';
import type { Discoveries } from '../areas/discoveries/index.ts';
import type { IdentityArea } from '../areas/identity/index.ts';
import { evaluatedKeys } from '../areas/keys/index.ts';
import { evaluatedJobs } from '../areas/scheduler/index.ts';
import type { WorkflowSubject } from '../areas/workflows/index.ts';

interface SubjectParts {
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly certificates: Pick<CertificatesArea, 'assertVisible'>;
  readonly inventory: Pick<InventoryArea, 'checked' | 'update'>;
  readonly discoveries: Pick<Discoveries, 'checked'>;
  readonly setValue: AttributesArea['setValue'];
  readonly gatekeeper: Pick<IdentityArea['gatekeeper'], 'authorizeObjects'>;
}

type SetFields = NonNullable<WorkflowSubject['set']>;
type Item = Parameters<SetFields>[1][number];

export const workflowSubjects = (parts: SubjectParts): readonly WorkflowSubject[] => [
  {
    resource: 'certificates',
    evaluated: parts.inventory.checked.evaluated,
    settable: {
      RA_PROFILE_NAME: { objects: 'raProfiles', many: false },
      GROUP_NAME: { objects: 'groups', many: true },
      OWNER: { objects: 'users', many: false },
    },
    findScopes: async (executor, uuids) =>
      new Map(
        (await parts.inventory.checked.findScopes(executor, uuids)).map((row) => [
          row.uuid,
          { groupUuids: row.group_uuids, raProfileUuid: row.ra_profile_uuid },
        ]),
      ),
    findShown: parts.inventory.checked.findShown,
    findChosen: parts.inventory.checked.findChosen,
    set: settingOf(parts, 'certificates', certificateFields(parts)),
  },
  {
    ...permissionSubject(parts, 'keys', evaluatedKeys),
    settable: { CK_GROUP: { objects: 'groups', many: true }, CK_OWNER: { objects: 'users', many: false } },
  },
  {
    ...permissionSubject(parts, 'discoveries', parts.discoveries.checked.evaluated),
    settable: {},
    set: settingOf(parts, 'discoveries'),
  },
  { ...permissionSubject(parts, 'approvals', evaluatedApprovals), settable: {} },
  { ...permissionSubject(parts, 'jobs', evaluatedJobs), settable: {} },
];

/** Objects that are visible only to callers with a permission on them. */
function permissionSubject(
  { platform: { database, clock } }: SubjectParts,
  resource: 'keys' | 'discoveries' | 'approvals' | 'jobs',
  objects: EvaluatedObjects,
): Pick<WorkflowSubject, 'resource' | 'evaluated' | 'findShown' | 'findChosen'> {
  const action = resource === 'approvals' ? 'list' : 'detail';
  const isShownTo =
    ({ actor }: RequestContext) =>
    (uuid: string): boolean =>
      isAllowed(actor.permissions, resource, action, [uuid]);
  return {
    resource,
    evaluated: () => objects,
    findShown: async (uuids, context) => objects.findNames(database.executor, uuids.filter(isShownTo(context))),
    async findChosen({ filters = [], text }, context, { limit, counted }) {
      if (text !== undefined) throw rejected(`Free-text search is not supported for ${resource}; omit the text.`);
      const conditions = readFilters(filters, { lookup: objects.lookup, now: clock.now() });
      const keys = await runSearch({ database, conditions }, (tx) => objects.findMatching(tx, conditions, counted));
      const shown = keys.filter(isShownTo(context));
      return { uuids: shown.slice(0, limit), found: shown.length };
    },
  };
}

/** Sets all properties together, and attributes one by one. `within` runs in the same transaction as the last write. */
function settingOf(parts: SubjectParts, resource: Resource, setProperties?: SetFields): SetFields {
  return async (objectUuid, items, { context, within }) => {
    const properties = items.filter(({ fieldSource }) => fieldSource === 'property');
    const attributes = items.filter(({ fieldSource }) => fieldSource === 'custom');
    const isLast = (item: Item) => properties.length === 0 && item === attributes.at(-1);
    for (const item of attributes)
      await setAttribute(parts, { resource, objectUuid, item }, { context, within: isLast(item) ? within : doNothing });
    if (properties.length === 0) return;
    if (!setProperties) throw rejected(`Properties of ${resource} cannot be set.`);
    await setProperties(objectUuid, properties, { context, within });
  };
}

const doNothing = async (): Promise<void> => undefined;

interface AttributeOfObject {
  readonly resource: Resource;
  readonly objectUuid: string;
  readonly item: Item;
}

async function setAttribute(
  { setValue, gatekeeper }: SubjectParts,
  { resource: resourceName, objectUuid, item }: AttributeOfObject,
  { context, within }: Parameters<SetFields>[2],
): Promise<void> {
  const operation = customAttributeOperations.updateAttributeContentForResource;
  const params = { resourceName, objectUuid };
  await gatekeeper.authorizeObjects(context.actor, operation, { params, body: item.data });
  const name = item.fieldIdentifier?.slice(0, item.fieldIdentifier.lastIndexOf('|')) ?? '';
  // The content was checked when the execution was created, and `setValue` checks it again.
  const content = item.data as Parameters<typeof setValue>[1];
  await setValue({ ...params, attribute: { name } }, content, { ...context, audit: operation.audit }, within);
}

const certificateFields =
  ({ certificates, inventory, gatekeeper }: SubjectParts): SetFields =>
  async (uuid, items, { context, within }) => {
    const operation = certificateOperations.updateCertificateObjects;
    const body: CertificateUpdateObjectsDto = Object.assign({}, ...items.map(requestOf));
    await gatekeeper.authorizeObjects(context.actor, operation, { params: { uuid }, body });
    await certificates.assertVisible([uuid], { context, action: 'update' });
    await inventory.update(uuid, body, { ...context, audit: operation.audit }, within);
  };

function requestOf({ fieldIdentifier, data }: Item): CertificateUpdateObjectsDto {
  const uuids = (Array.isArray(data) ? data : []).flatMap((value: unknown) =>
    isObject(value) && 'uuid' in value && typeof value.uuid === 'string' ? [value.uuid] : [],
  );
  switch (fieldIdentifier) {
    case 'RA_PROFILE_NAME':
      return { raProfileUuid: uuids[0] ?? '' };
    case 'GROUP_NAME':
      return { groupUuids: uuids };
    case 'OWNER':
      return { ownerUuid: uuids[0] ?? '' };
    default:
      throw rejected(`${fieldIdentifier ?? 'A field without a name'} cannot be set.`);
  }
}
