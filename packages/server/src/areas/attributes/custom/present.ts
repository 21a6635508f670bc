// API representation of custom attribute definitions.
import type { CustomAttributeDefinitionDetailDto, CustomAttributeDefinitionDto } from '@signetry/contract';
import type { CustomDefinition } from './custom-definition.ts';

export const presentDefinition = ({
  attribute,
  resources,
  enabled,
}: CustomDefinition): CustomAttributeDefinitionDto => ({
  uuid: attribute.uuid,
  name: attribute.name,
  contentType: attribute.contentType,
  description: attribute.description ?? '',
  enabled,
  resources: [...resources],
});

export const presentDefinitionDetail = (definition: CustomDefinition): CustomAttributeDefinitionDetailDto => ({
  ...presentDefinition(definition),
  type: 'custom',
  ...definition.attribute.properties,
  content: definition.attribute.content,
});
