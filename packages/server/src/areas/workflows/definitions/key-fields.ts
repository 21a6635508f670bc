// Key fields that rules compare and executions set, with the objects that can be their values.
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

export interface KeyFieldsParts {
  readonly attributes: { readonly custom: Pick<AttributeEngine['custom'], 'givable'> };
  /** Finds the names of the objects that can be field values. */
  readonly findNames: (resource: Resource) => FindNames;
}

const identifiers = Object.keys(propertyFields.keys) as (keyof typeof propertyFields.keys)[]; // The record's own keys.

/** Returns only values that the caller can list. */
export const createKeyFields =
  ({ database: { executor } }: Platform, { attributes, findNames }: KeyFieldsParts) =>
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

/** Executions cannot set secrets. */
function fieldOf({ name, contentType, properties }: CustomAttribute) {
  if (contentType === 'secret') return [];
  const field = { fieldIdentifier: `${name}|${contentType.toUpperCase()}`, fieldLabel: properties.label };
  const facts = { attributeContentType: contentType, multiValue: properties.multiSelect };
  return [{ ...field, ...facts, type: 'string' as const, conditions: [...conditionsByType.string] }];
}
