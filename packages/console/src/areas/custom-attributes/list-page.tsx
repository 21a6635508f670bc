// All custom attributes.
import { useQuery } from '@tanstack/react-query';
import { describeResources } from '../../format/resources.ts';
import { enabledColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { customAttributeListQuery } from '../../queries/custom-attributes.ts';
import type { ListedCustomAttribute } from './shapes.ts';
import { describeContentType } from './texts.ts';

const columns: readonly FullListColumn<ListedCustomAttribute>[] = [
  nameColumn(paths.customAttributes, ({ description }) => description),
  enabledColumn(),
  textColumn('contentType', 'Content type', ({ contentType }) => describeContentType(contentType)),
  textColumn('resources', 'Applies to', ({ resources }) => describeResources(resources) || undefined),
];

export function CustomAttributeListPage() {
  return (
    <ObjectListPage
      title="Custom attributes"
      term="custom-attribute"
      description="Organization-specific fields for objects, such as a cost center, a contact or a ticket."
      paths={paths.customAttributes}
      create={{ label: 'New custom attribute', needs: ['attributes', 'create'] }}
      query={useQuery(customAttributeListQuery)}
      what="custom attributes"
      columns={columns}
      textOf={({ name, description, resources }) => [name, description, describeResources(resources)].join(' ')}
      empty={{
        title: 'No custom attributes yet',
        text: 'Define fields for objects, such as the cost center of a certificate. They appear in forms and on object pages.',
      }}
    />
  );
}
