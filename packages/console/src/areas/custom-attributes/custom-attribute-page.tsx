// Page for a single custom attribute: its definition, and the objects that have it.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeResources } from '../../format/resources.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { customAttributeQuery, customAttributeUseQuery } from '../../queries/custom-attributes.ts';
import { describeItem } from '../../ui/attributes/attribute-content.ts';
import { ItemsText, type ItemsTextProps } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { CustomAttributeActions } from './custom-attribute-actions.tsx';
import { kindOfEntry, describeKind } from './entry-kinds.ts';
import type { CustomAttributeDetail } from './shapes.ts';
import { describeContentType, describeUsage } from './texts.ts';

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
          { name: 'Content', value: describeContentType(contentType) },
          { name: 'Input', value: describeKind(kind) },
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

function Content({ contentType, items }: ItemsTextProps) {
  if (items.length <= FOLDED_FROM || contentType === 'codeblock')
    return <ItemsText contentType={contentType} items={items} />;
  const names = items.map((item) => describeItem(contentType, item));
  return <FoldedNames names={names} first={FOLDED_FROM} draw={(text) => text} />;
}

function Use({ attribute: { uuid, resources = [] } }: { readonly attribute: CustomAttributeDetail }) {
  const use = useQuery(customAttributeUseQuery(uuid));
  return (
    <Panel title="Usage">
      <Facts
        facts={[
          { name: 'Object types', value: describeResources(resources) || 'none yet; edit the attribute to choose' },
        ]}
      />
      <QueryView of={use} what="the usage of the custom attribute">
        {({ objects }) => <Text my="xs">{describeUsage(objects)}</Text>}
      </QueryView>
      <Facts facts={[identifierFact(uuid)]} />
    </Panel>
  );
}
