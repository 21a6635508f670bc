// The fields of keys that rules compare and executions set, with the objects that are their values.
import {
  conditionsByType,
  propertyFields,
  type CustomAttribute,
  type Resource,
  type SearchFieldDataByGroupDto,
} from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { propertyField } from '../../../kernel/filter/field.ts';
import { presentSearchFields } from '../../../kernel/filter/present-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { FindNames } from '../../../platform/objects/named-objects.ts';
import type { AttributeEngine } from '../../attributes/index.ts';

export interface FieldsOfKeysParts {
  readonly attributes: { readonly custom: Pick<AttributeEngine['custom'], 'givable'> };
  /** Of the objects that are values of fields. */
  readonly findNames: (resource: Resource) => FindNames;
}

const identifiers = Object.keys(propertyFields.keys) as (keyof typeof propertyFields.keys)[]; // its own keys

/** Those that a field names, as far as the caller may list them. */
export const createFieldsOfKeys =
  ({ database: { executor } }: Platform, { attributes, findNames }: FieldsOfKeysParts) =>
  async (
    context: RequestContext,
    { settable }: { readonly settable: boolean },
  ): Promise<SearchFieldDataByGroupDto[]> => {
    const listed = async (resource: Resource) => {
      const visible = visibleObjects(context.actor.permissions, resource, 'list');
      return (await findNames(resource)(executor)).filter(({ uuid }) => isVisible(visible, uuid));
    };
    const [tokens, profiles, groups, users, custom] = await Promise.all([
      listed('tokens'),
      listed('tokenProfiles'),
      listed('groups'),
      listed('users'),
      settable ? attributes.custom.givable('keys', context) : [],
    ]);
    return presentSearchFields('keys', {
      fields: identifiers.map((identifier) => propertyField('keys', identifier)),
      values: { CK_TOKEN_INSTANCE: tokens, CK_TOKEN_PROFILE: profiles, CK_GROUP: groups, CK_OWNER: users },
      attributes: [{ filterFieldSource: 'custom', searchFieldData: custom.flatMap(fieldOf) }],
      use: settable ? 'settable' : 'rules',
    });
  };

/** Secrets are not set by executions. */
function fieldOf({ name, contentType, properties }: CustomAttribute) {
  if (contentType === 'secret') return [];
  const field = { fieldIdentifier: `${name}|${contentType.toUpperCase()}`, fieldLabel: properties.label };
  const facts = { attributeContentType: contentType, multiValue: properties.multiSelect };
  return [{ ...field, ...facts, type: 'string' as const, conditions: [...conditionsByType.string] }];
}
