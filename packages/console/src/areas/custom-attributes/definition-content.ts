// Default, choices or fixed value of a custom attribute, entered in a field of the attribute's own type. Pure.
import type { AttributeContentType, CustomAttribute, CustomAttributeDefinitionDetailDto } from '@signetry/contract';
import type { PresentValues } from '../../ui/attributes/attribute-values.ts';
import { hasNoContent, type EntryKind } from './entry-kinds.ts';

const NAME = 'content';

const labels: Readonly<Record<EntryKind, readonly [label: string, description: string]>> = {
  one: ['Default', 'Initial value in forms.'],
  choice: ['Choices', 'If there are no choices, any value can be entered.'],
  several: ['Choices', 'If there are no choices, any values can be entered, as an ordered list.'],
  fixed: ['Value', 'The value that every object has.'],
};

/** Returns the field for the content, or no field for secrets and credentials. */
export function contentDefinitions(contentType: AttributeContentType, kind: EntryKind): readonly CustomAttribute[] {
  if (hasNoContent(contentType)) return [];
  const [label, description] = labels[kind];
  const isList = kind === 'choice' || kind === 'several';
  return [
    {
      version: 2,
      uuid: NAME,
      name: NAME,
      type: 'custom',
      contentType,
      description,
      properties: {
        label,
        visible: true,
        required: kind === 'fixed',
        readOnly: false,
        list: isList,
        multiSelect: isList,
      },
    },
  ];
}

export const presentContent = ({
  contentType,
  content = [],
}: Pick<CustomAttributeDefinitionDetailDto, 'contentType' | 'content'>): PresentValues => [
  { name: NAME, contentType, content },
];
