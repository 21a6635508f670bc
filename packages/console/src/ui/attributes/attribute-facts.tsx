// Displays attribute values as facts. Once the definitions are loaded, headings and order match the form.
import { Stack, Title } from '@mantine/core';
import type { AttributeContentType, BaseAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { Facts, type Fact } from '../facts.tsx';
import { toCanonicalJson, describeItem, type ContentItem } from './attribute-content.ts';
import { CodeBlocks } from './code-blocks.tsx';
import { IdentifiersInText } from './identifiers-in-text.tsx';

export interface AttributeFactsProps {
  readonly values: readonly ResponseAttributeDto[];
  readonly definitions?: readonly BaseAttributeDto[] | undefined;
}

export function AttributeFacts({ values, definitions = [] }: AttributeFactsProps) {
  return (
    <Stack gap="lg">
      {groupedValues(values, definitions).map(({ title, members }) => (
        <div key={title ?? ''}>
          {title && (
            <Title order={3} c="dimmed" mb={4}>
              {title}
            </Title>
          )}
          <Facts facts={members.map((value) => factOf(value, definitionOf(value, definitions)))} />
        </div>
      ))}
    </Stack>
  );
}

const definitionOf = (
  { name }: ResponseAttributeDto,
  definitions: readonly BaseAttributeDto[],
): BaseAttributeDto | undefined => definitions.find((definition) => definition.name === name);

function groupedValues(values: readonly ResponseAttributeDto[], definitions: readonly BaseAttributeDto[]) {
  const groups = new Map<string | undefined, ResponseAttributeDto[]>();
  const position = ({ name }: ResponseAttributeDto): number => {
    const at = definitions.findIndex((definition) => definition.name === name);
    return at < 0 ? definitions.length : at;
  };
  for (const value of values.toSorted((one, other) => position(one) - position(other))) {
    const definition = definitionOf(value, definitions);
    const title = definition && definition.type !== 'group' ? definition.properties.group : undefined;
    groups.set(title, [...(groups.get(title) ?? []), value]);
  }
  return [...groups].map(([title, members]) => ({ title, members }));
}

const factOf = (
  { label, contentType, content = [] }: ResponseAttributeDto,
  definition: BaseAttributeDto | undefined,
): Fact => ({
  name: label,
  value: <ItemsText contentType={contentType} items={content.map((item) => withDisplayText(item, definition))} />,
  code: contentType === 'object',
});

export interface ItemsTextProps {
  readonly contentType: AttributeContentType;
  readonly items: readonly ContentItem[];
}

/** The values of an attribute, one per line, with syntax highlighting for code. */
export function ItemsText({ contentType, items }: ItemsTextProps) {
  if (contentType === 'codeblock') return <CodeBlocks items={items} />;
  const words = items.map((item) => describeItem(contentType, item)).join('\n');
  return (
    <>
      {words}
      <IdentifiersInText text={words} />
    </>
  );
}

/** Restores a choice's display text if it was stored without one. */
const withDisplayText = (item: ContentItem, definition: BaseAttributeDto | undefined): ContentItem =>
  item.reference === undefined && definition?.type === 'data'
    ? (definition.content?.find(({ data }) => toCanonicalJson(data) === toCanonicalJson(item.data)) ?? item)
    : item;
