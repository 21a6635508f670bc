// Page for a single custom attribute: its definition, and the objects that have it.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { wordsOfResources } from '../../format/resources.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { customAttributeQuery, customAttributeUseQuery } from '../../queries/custom-attributes.ts';
import { wordsOfItem } from '../../ui/attributes/attribute-content.ts';
import { ItemsInWords, type ItemsInWordsProps } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { CustomAttributeActions } from './custom-attribute-actions.tsx';
import { kindOfEntry, wordsOfKind } from './entry-kinds.ts';
import type { CustomAttributeDetail } from './shapes.ts';
import { wordsOfContentType, wordsOfUse } from './words.ts';

export function CustomAttributePage() {
  return (
    <ObjectPage
      query={useQuery(customAttributeQuery(useUuid()))}
      what="the custom attribute"
      parent={{ to: paths.customAttributes.list, label: 'Custom attributes' }}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      description={({ description }) => description}
      actions={(attribute) => <CustomAttributeActions attribute={attribute} />}
      main={(attribute) => <Definition attribute={attribute} />}
      side={(attribute) => <Use attribute={attribute} />}
    />
  );
}

function Definition({ attribute }: { readonly attribute: CustomAttributeDetail }) {
  const { label, group, required, visible = true, contentType, content = [] } = attribute;
  const kind = kindOfEntry(attribute);
  const names = { one: 'Default', choice: 'Choices', several: 'Choices', fixed: 'Value' } as const;
  return (
    <Panel title="Definition">
      <Facts
        facts={[
          { name: 'Label', value: label },
          { name: 'Content', value: wordsOfContentType(contentType) },
          { name: 'Input', value: wordsOfKind(kind) },
          { name: 'Required', value: required ? 'Yes' : 'No' },
          { name: 'In forms', value: visible ? 'Visible' : 'Hidden' },
          { name: 'Heading', value: group },
          content.length > 0
            ? { name: names[kind], value: <Content contentType={contentType} items={content} /> }
            : { name: names[kind], value: kind === 'choice' || kind === 'several' ? 'any value' : 'none' },
        ]}
      />
    </Panel>
  );
}

/** Longer lists are collapsed. */
const FOLDED_FROM = 12;

function Content({ contentType, items }: ItemsInWordsProps) {
  if (items.length <= FOLDED_FROM || contentType === 'codeblock')
    return <ItemsInWords contentType={contentType} items={items} />;
  const names = items.map((item) => wordsOfItem(contentType, item));
  return <FoldedNames names={names} first={FOLDED_FROM} draw={(text) => text} />;
}

function Use({ attribute: { uuid, resources = [] } }: { readonly attribute: CustomAttributeDetail }) {
  const use = useQuery(customAttributeUseQuery(uuid));
  return (
    <Panel title="Usage">
      <Facts
        facts={[
          { name: 'Object types', value: wordsOfResources(resources) || 'none yet; edit the attribute to choose' },
        ]}
      />
      <Reading of={use} what="the usage of the custom attribute">
        {({ objects }) => <Text my="xs">{wordsOfUse(objects)}</Text>}
      </Reading>
      <Facts facts={[identifierFact(uuid)]} />
    </Panel>
  );
}
