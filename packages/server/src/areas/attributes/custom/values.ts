// Custom attribute values. They are validated before a change, written with it, and displayed with the object. Callers
// see and set only the attributes that they can use; all other values stay unchanged.
import type { CustomAttribute, RequestAttributeDto, Resource, ResponseAttributeDto } from '@signetry/contract';
import { isVisible, type Actor, type RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import { createExpiringCache, type ExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CredentialExpansion } from '../credentials.ts';
import type { AttributeObject, ContentItem, ValueDefinition } from '../attribute-terms.ts';
import { requestsStoredSecret, retainSecrets } from '../secrets.ts';
import type { CustomDefinition } from './custom-definition.ts';
import * as store from './store.ts';
import {
  createStoredValues,
  usableAttributes,
  type AcceptedCustomValues,
  type CustomValueSet,
  type StoredValues,
} from './stored-values.ts';
import { checkValues, type ValueCheck } from '../check-values.ts';
import { createPatternBudget } from '../constraints.ts';

export type { AcceptedCustomValues } from './stored-values.ts';

/** Access to the credentials that values reference. */
type Credentials = Omit<CredentialExpansion, 'operations'>;

/** Custom attribute values of the objects of one resource. */
export interface CustomValues {
  /**
   * Validates (422) the values of a new object or, if `of` is specified, of that existing object. An existing object
   * keeps its values if `requested` is undefined; otherwise the values of all attributes that the caller can use are
   * replaced.
   */
  accept(
    requested: readonly RequestAttributeDto[] | undefined,
    context: RequestContext,
    of?: string,
  ): Promise<AcceptedCustomValues>;
  write(tx: Executor, uuid: string, accepted: AcceptedCustomValues): Promise<void>;
  /** Returns the values that the caller can see, sorted by label. */
  read(uuid: string, context: RequestContext): Promise<ResponseAttributeDto[]>;
  /** Returns all values including secrets, to be copied to another object. They must never be displayed or logged. */
  readForCopy(uuid: string): Promise<RequestAttributeDto[]>;
}

const UNCHANGED: AcceptedCustomValues = { replaced: [], attributes: [] };

export type CustomValueStore = ReturnType<typeof createCustomValues>;

interface Parts {
  readonly stored: StoredValues;
  readonly credentials: Credentials;
  readonly definitions: ExpiringCache<Resource, CustomDefinition[]>;
}

export function createCustomValues(
  platform: Pick<Platform, 'database' | 'sealer' | 'clock'>,
  credentials: Credentials,
) {
  const { executor } = platform.database;
  const stored = createStoredValues(platform, credentials);
  // Cached, because every request that creates an object needs the definitions.
  const definitions = createExpiringCache({
    clock: platform.clock,
    load: (resource: Resource) => store.findOfResource(executor, resource),
  });
  const parts: Parts = { stored, credentials, definitions };

  return {
    /**
     * Returns the values of the objects of a resource or, with `purpose`, those stored for objects of another resource.
     */
    of: (resource: Resource, purpose?: Resource): CustomValues => {
      const setOf = (uuid: string): CustomValueSet => ({ resource, uuid, ...(purpose ? { purpose } : {}) });
      return {
        accept: (requested, context, of) =>
          accept(parts, requested, {
            resource: purpose ?? resource,
            context,
            of: of === undefined ? undefined : setOf(of),
            // Values for future objects may be incomplete.
            partial: purpose !== undefined,
          }),
        write: (tx, uuid, accepted) => stored.write(tx, setOf(uuid), accepted),
        read: (uuid, context) => stored.read(setOf(uuid), context),
        readForCopy: (uuid) => stored.readOpen(setOf(uuid)),
      };
    },
    acceptOne: (object: AttributeObject, value: SingleValue, context: RequestContext): Promise<AcceptedValue> =>
      acceptOne(parts, { object, value, context }),
    /** Returns the definitions of the attributes that the caller can use and set. */
    givable: async (resource: Resource, context: RequestContext): Promise<CustomAttribute[]> =>
      (await findUsable(parts, resource, context))
        .map(({ attribute }) => attribute)
        .filter(({ properties }) => !properties.readOnly),
    write: stored.write,
    read: stored.read,
    /** Returns facts about the attributes that exist. */
    findDefinitions: async (uuids: readonly string[]) =>
      (await store.findAll(executor))
        .filter(({ attribute }) => uuids.includes(attribute.uuid))
        .map(({ attribute: { uuid, name, contentType, properties } }) => ({
          uuid,
          name,
          contentType,
          label: properties.label,
        })),
    /** Must be called after definitions have changed. */
    forget: (): void => definitions.invalidate(),
  };
}

interface AcceptOptions {
  readonly resource: Resource;
  readonly context: RequestContext;
  readonly of: CustomValueSet | undefined;
  /** Whether required attributes may be missing. */
  readonly partial: boolean;
}

async function accept(
  parts: Parts,
  requested: readonly RequestAttributeDto[] | undefined,
  { resource, context, of, partial }: AcceptOptions,
): Promise<AcceptedCustomValues> {
  // The platform and protocol servers create objects without custom attributes, even if some are required from users.
  if (requested === undefined && (of || !isPerson(context))) return UNCHANGED;
  const known = await findUsable(parts, resource, context);
  if (known.length === 0 && !requested?.length) return UNCHANGED;
  const given = of ? await withStoredSecrets(parts, of, requested ?? []) : (requested ?? []);
  const { problems, accepted } = evaluateValues(given, partial ? known.map(withoutRequired) : known);
  if (problems.length > 0) throw rejected(...problems);
  const replaced = known.map(({ attribute }) => attribute.uuid);
  return { replaced, attributes: await withCredentials(parts, accepted, { actor: context.actor, of }) };
}

interface SingleValue {
  readonly attribute: { readonly uuid: string } | { readonly name: string };
  readonly content: readonly ContentItem[];
}

interface AcceptedValue extends AcceptedCustomValues {
  readonly attribute: { readonly uuid: string; readonly name: string };
}

/** Validates the values of one attribute of an object; empty content removes them. */
async function acceptOne(
  parts: Parts,
  { object, value, context }: { object: AttributeObject; value: SingleValue; context: RequestContext },
): Promise<AcceptedValue> {
  const { attribute: wanted, content } = value;
  const all = await findUsable(parts, object.resource, context);
  const known = requireFound(
    all.find(({ attribute }) => ('uuid' in wanted ? attribute.uuid === wanted.uuid : attribute.name === wanted.name)),
    `Custom attribute of ${object.resource}`,
    'uuid' in wanted ? wanted.uuid : wanted.name,
  );
  const { uuid, name, contentType } = known.attribute;
  const given = await withStoredSecrets(parts, object, [{ uuid, name, contentType, content: [...content] }]);
  const { problems, accepted } = evaluateValues(given, [known]);
  if (problems.length > 0) throw rejected(...problems);
  const attributes = await withCredentials(parts, accepted, { actor: context.actor, of: object });
  return { replaced: [uuid], attributes, attribute: { uuid, name } };
}

/** Rejects (422) credentials that the caller cannot use, and reduces the others to what can be shown. */
async function withCredentials(
  { stored, credentials }: Parts,
  accepted: readonly RequestAttributeDto[],
  { actor, of }: { readonly actor: Actor; readonly of: CustomValueSet | undefined },
): Promise<readonly RequestAttributeDto[]> {
  if (!accepted.some(({ contentType }) => contentType === 'credential')) return accepted;
  return credentials.acceptForDisplay(accepted, { actor, before: of && (await stored.readOpen(of)) });
}

async function findUsable(
  { definitions }: Parts,
  resource: Resource,
  context: RequestContext,
): Promise<CustomDefinition[]> {
  const visible = usableAttributes(context);
  return (await definitions.get(resource)).filter(({ attribute }) => isVisible(visible, attribute.uuid));
}

async function withStoredSecrets(
  { stored }: Parts,
  set: CustomValueSet,
  requested: readonly RequestAttributeDto[],
): Promise<readonly RequestAttributeDto[]> {
  const { resource } = set;
  if (!requested.some((attribute) => requestsStoredSecret(attribute, resource))) return requested;
  return retainSecrets(requested, await stored.readOpen(set), resource);
}

const isPerson = ({ actor }: RequestContext): boolean => actor.type !== 'protocol' && actor.type !== 'core';

/** Validates a caller's values against custom attribute definitions. */
const evaluateValues = (requested: readonly RequestAttributeDto[], known: readonly CustomDefinition[]): ValueCheck =>
  checkValues(requested, { current: known.map(valueDefinition), earlier: [] }, createPatternBudget());

const withoutRequired = ({ attribute, ...definition }: CustomDefinition): CustomDefinition => ({
  ...definition,
  attribute: { ...attribute, properties: { ...attribute.properties, required: false } },
});

const valueDefinition = ({ attribute }: CustomDefinition): ValueDefinition => ({
  uuid: attribute.uuid,
  name: attribute.name,
  label: attribute.properties.label,
  contentType: attribute.contentType,
  required: attribute.properties.required,
  readOnly: attribute.properties.readOnly,
  list: attribute.properties.list,
  multiSelect: attribute.properties.multiSelect,
  content: attribute.content ?? [],
  constraints: [],
});
