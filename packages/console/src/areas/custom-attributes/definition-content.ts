// The default, the choices or the fixed value of a custom attribute: entered by a field of the attribute itself. Pure.
import type { AttributeContentType, CustomAttribute, CustomAttributeDefinitionDetailDto } from '@signetry/contract';
import type { PresentValues } from '../../ui/attributes/attribute-values.ts';
import { hasNoContent, type EntryKind } from './entry-kinds.ts';

const NAME = 'content';

const labels: Readonly<Record<EntryKind, readonly [label: string, description: string]>> = {
  one: ['Default', 'What forms begin with.'],
  choice: ['Choices', 'Without choices, any value can be entered.'],
  several: ['Choices', 'Without choices, any values can be entered, in an order.'],
  fixed: ['Value', 'What every object has.'],
};

/** Secrets and credentials have none. */
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
