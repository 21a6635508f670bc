// Use cases for custom attribute definitions. Each change and its audit record share a transaction.
import type {
  AttributeContentType,
  CustomAttribute,
  CustomAttributeCreateRequestDto,
  CustomAttributeDefinitionDetailDto,
  CustomAttributeDefinitionDto,
  CustomAttributeUpdateRequestDto,
  CustomAttributeUse,
  Resource,
} from '@signetry/contract';
import { isVisible, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { attributeOf, customDefinitionProblems, type CustomDefinition } from './custom-definition.ts';
import { presentDefinition, presentDefinitionDetail } from './present.ts';
import * as store from './store.ts';
import { usableAttributes } from './stored-values.ts';

export type CustomAttributeService = ReturnType<typeof createCustomAttributeService>;

interface ServiceParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  /** Called after each change, because value validation caches definitions for seconds. */
  readonly changed: () => void;
}

export function createCustomAttributeService(platform: Platform, parts: Omit<ServiceParts, 'platform'>) {
  const service: ServiceParts = { platform, ...parts };
  return {
    list: (contentType: AttributeContentType | undefined) => list(service, contentType),
    detail: (uuid: string) => detail(service, uuid),
    forResource: (resource: Resource, context: RequestContext) => forResource(service, resource, context),
    use: (uuid: string) => use(service, uuid),
    create: (request: CustomAttributeCreateRequestDto, context: RequestContext) => create(service, request, context),
    update: (uuid: string, request: CustomAttributeUpdateRequestDto, context: RequestContext) =>
      update(service, uuid, request, context),
    setResources: (uuid: string, resources: readonly Resource[], context: RequestContext) =>
      setResources(service, uuid, resources, context),
    setEnabled: (uuid: string, enabled: boolean, context: RequestContext) =>
      setEnabled(service, uuid, enabled, context),
    setEnabledMany: (uuids: readonly string[], enabled: boolean, context: RequestContext) =>
      setEnabledMany(service, uuids, enabled, context),
    remove: (uuid: string, context: RequestContext) => remove(service, uuid, context),
    removeMany: (uuids: readonly string[], context: RequestContext) => removeMany(service, uuids, context),
  };
}

async function list(
  { platform }: ServiceParts,
  contentType: AttributeContentType | undefined,
): Promise<CustomAttributeDefinitionDto[]> {
  const all = await store.findAll(platform.database.executor);
  return all
    .filter(({ attribute }) => attribute.contentType === (contentType ?? attribute.contentType))
    .map(presentDefinition);
}

const detail = async ({ platform }: ServiceParts, uuid: string): Promise<CustomAttributeDefinitionDetailDto> =>
  presentDefinitionDetail(await store.require(platform.database.executor, uuid));

/** Returns the attributes that the caller can use, in the order of the form. */
async function forResource(
  { platform }: ServiceParts,
  resource: Resource,
  context: RequestContext,
): Promise<CustomAttribute[]> {
  const visible = usableAttributes(context);
  const definitions = await store.findOfResource(platform.database.executor, resource);
  return definitions.map(({ attribute }) => attribute).filter(({ uuid }) => isVisible(visible, uuid));
}

async function use({ platform }: ServiceParts, uuid: string): Promise<CustomAttributeUse> {
  const { executor } = platform.database;
  await store.require(executor, uuid);
  return { objects: await store.countObjects(executor, [uuid]) };
}

async function create(
  { platform, audit, changed }: ServiceParts,
  request: CustomAttributeCreateRequestDto,
  context: RequestContext,
): Promise<string> {
  const { name, contentType, resources = [] } = request;
  const attribute = attributeOf({ uuid: newUuid(), name, contentType }, request);
  const definition = validateDefinition({ attribute, resources, enabled: true });
  await rejectTakenName(store.customAttributes, name, () =>
    audit.change(context, async (tx) => {
      await store.insert(tx, definition, platform.clock.now());
      return [attribute];
    }),
  );
  changed();
  return attribute.uuid;
}

/** Replaces everything, except that the resources stay unchanged if `resources` is omitted. */
async function update(
  service: ServiceParts,
  uuid: string,
  request: CustomAttributeUpdateRequestDto,
  context: RequestContext,
): Promise<CustomAttributeDefinitionDetailDto> {
  const before = await store.require(service.platform.database.executor, uuid);
  const { name, contentType } = before.attribute;
  const attribute = attributeOf({ uuid, name, contentType }, request);
  await save(service, { ...before, attribute, resources: request.resources ?? before.resources }, context);
  return detail(service, uuid);
}

async function setResources(
  service: ServiceParts,
  uuid: string,
  resources: readonly Resource[],
  context: RequestContext,
): Promise<void> {
  const before = await store.require(service.platform.database.executor, uuid);
  await save(service, { ...before, resources }, context);
}

async function save(
  { platform, audit, changed }: ServiceParts,
  definition: CustomDefinition,
  context: RequestContext,
): Promise<void> {
  const checked = validateDefinition(definition);
  const [row] = await audit.change(context, (tx) => store.update(tx, checked, platform.clock.now()));
  changed();
  requireFound(row, store.customAttributes.what, definition.attribute.uuid);
}

/** Skips unknown attributes, so that repeated calls produce the same state. Returns the attributes that existed. */
async function setEnabledMany(
  { platform, audit, changed }: ServiceParts,
  uuids: readonly string[],
  enabled: boolean,
  context: RequestContext,
): Promise<readonly store.ChangedAttribute[]> {
  const now = platform.clock.now();
  const done = await audit.change(context, (tx) => store.setEnabled(tx, uuids, { enabled, now }));
  changed();
  return done;
}

async function setEnabled(
  service: ServiceParts,
  uuid: string,
  enabled: boolean,
  context: RequestContext,
): Promise<void> {
  const [row] = await setEnabledMany(service, [uuid], enabled, context);
  requireFound(row, store.customAttributes.what, uuid);
}

/** Removes definitions with their values; the audit record contains the number of affected objects. */
async function removeMany(
  { platform, audit, changed }: ServiceParts,
  uuids: readonly string[],
  context: RequestContext,
): Promise<readonly store.ChangedAttribute[]> {
  const removed = await platform.database.transaction(async (tx) => {
    const objects = await store.countObjects(tx, uuids);
    const gone = await store.remove(tx, uuids);
    if (gone.length > 0) await audit.append(tx, context, { objects: gone, data: { objectsWithValues: objects } });
    return gone;
  });
  changed();
  return removed;
}

async function remove(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const [row] = await removeMany(service, [uuid], context);
  requireFound(row, store.customAttributes.what, uuid);
}

/** Returns the definition if it is valid; rejects it otherwise (400). */
function validateDefinition(definition: CustomDefinition): CustomDefinition {
  const resources = [...new Set(definition.resources)];
  const problems = customDefinitionProblems(definition.attribute, resources);
  if (problems.length > 0) throw new AppError('invalid_fields', { problems });
  return { ...definition, resources };
}
