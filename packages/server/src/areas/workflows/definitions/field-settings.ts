// Values that executions set: whether the field can be set, and which values the caller can assign.
import type { AttributeContentType, RequestAttributeDto } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError, notFound, problemsOf } from '../../../kernel/errors.ts';
import { readAttributeName } from '../../../kernel/filter/attribute-name.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { FindNames, NamedRow } from '../../../platform/objects/named-objects.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { SettableProperty, WorkflowSubject } from '../ports.ts';
import type { ExecutionItem } from '../tables.ts';
import { readContent, readObjects } from './definition-rules.ts';

export interface FieldParts {
  readonly executor: Executor;
  readonly attributes: Pick<AttributeEngine, 'customValuesOf'>;
  readonly findObjects: Readonly<Record<SettableProperty['objects'], FindNames>>;
}

/**
 * An item in its stored form, or the reasons for its rejection. Objects that do not exist or are not visible to the
 * caller cause a 404 error.
 */
export type ValidatedItem = { readonly item: ExecutionItem } | { readonly problems: readonly string[] };

/** Permissions required to reference objects, the same as in a request that changes an object directly. */
const rights = { raProfiles: 'members', groups: 'detail', users: 'detail' } as const;
const words = { raProfiles: 'RA profile', groups: 'Group', users: 'User' } as const;

export async function validateSetting(
  parts: FieldParts,
  { subject, item }: { readonly subject: WorkflowSubject; readonly item: ExecutionItem },
  context: RequestContext,
): Promise<ValidatedItem> {
  const { fieldSource, fieldIdentifier = '', data } = item;
  const rejectItem = (problem: string): ValidatedItem => ({
    problems: [`${truncateName(fieldIdentifier)}: ${problem}`],
  });
  if (fieldSource === undefined || fieldIdentifier === '')
    return { problems: ['items: fieldSource and fieldIdentifier are required to set a field'] };
  if (fieldSource === 'custom') return validateCustom(parts, { subject, fieldIdentifier, data }, context);
  const property = fieldSource === 'property' ? findProperty(subject, fieldIdentifier) : undefined;
  if (!property) return rejectItem(`resource ${subject.resource} has no settable ${fieldSource} field with this name`);
  const uuids = readObjects(data);
  if (!uuids) return rejectItem('the data must be a UUID, or objects with a UUID');
  if (uuids.length > 1 && !property.many) return rejectItem('only one value is allowed');
  const objects = await findUsable(parts, { property, uuids }, context);
  const missing = uuids.find((uuid) => !objects.some((object) => object.uuid === uuid));
  if (missing !== undefined) throw notFound(words[property.objects], missing);
  return { item: { fieldSource, fieldIdentifier, data: uuids.flatMap((uuid) => named(objects, uuid)) } };
}

/** Truncates long identifiers, which error messages repeat. */
const truncateName = (identifier: string): string => identifier.slice(0, 100);

const findProperty = ({ settable }: WorkflowSubject, identifier: string): SettableProperty | undefined =>
  Object.hasOwn(settable, identifier) ? settable[identifier] : undefined;

const named = (objects: readonly NamedRow[], uuid: string) =>
  objects.filter((object) => object.uuid === uuid).map(({ name }) => ({ uuid, name }));

async function findUsable(
  { executor, findObjects }: FieldParts,
  { property, uuids }: { readonly property: SettableProperty; readonly uuids: readonly string[] },
  { actor }: RequestContext,
): Promise<readonly NamedRow[]> {
  const { objects } = property;
  const allowed = uuids.filter((uuid) => isAllowed(actor.permissions, objects, rights[objects], [uuid]));
  return allowed.length === 0 ? [] : findObjects[objects](executor, allowed);
}

interface CustomSetting {
  readonly subject: WorkflowSubject;
  readonly fieldIdentifier: string;
  readonly data: unknown;
}

/** Definitions must not contain secrets, because all users who can see the definition could read them. */
const NOT_KEPT: readonly AttributeContentType[] = ['secret'];

async function validateCustom(
  { attributes }: FieldParts,
  { subject: { resource }, fieldIdentifier, data }: CustomSetting,
  context: RequestContext,
): Promise<ValidatedItem> {
  const rejectItem = (...problems: readonly string[]): ValidatedItem => ({
    problems: problems.map((problem) => `${truncateName(fieldIdentifier)}: ${problem}`),
  });
  const attribute = readAttributeName(fieldIdentifier);
  if (!attribute) return rejectItem('custom attributes must be specified as name|CONTENTTYPE');
  const { name, contentType } = attribute;
  if (NOT_KEPT.includes(contentType)) return rejectItem('executions cannot set secrets');
  // The attribute engine validates content of any format and finds definitions by name.
  const content = readContent(data) as RequestAttributeDto['content'];
  try {
    const values = attributes.customValuesOf('actions', resource);
    const accepted = await values.accept([{ uuid: '', name, contentType, content }], context);
    const kept = accepted.attributes.find((each) => each.name === name);
    if (kept && kept.contentType !== contentType)
      return rejectItem(`the custom attribute has content type ${kept.contentType}`);
    return { item: { fieldSource: 'custom', fieldIdentifier, data: kept?.content ?? [] } };
  } catch (error) {
    if (isAppError(error, 'rejected_by_rules')) return rejectItem(...problemsOf(error));
    throw error;
  }
}
