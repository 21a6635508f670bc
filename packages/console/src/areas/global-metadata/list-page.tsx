// All global metadata, and connector metadata that can be promoted.
import type { AttributeDefinitionDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { globalMetadataListQuery } from '../../queries/global-metadata.ts';
import { describeContentType } from '../custom-attributes/texts.ts';
import { PromoteDialog } from './promote-dialog.tsx';

const columns: readonly FullListColumn<AttributeDefinitionDto>[] = [
  nameColumn(paths.globalMetadata, ({ description }) => description),
  textColumn('contentType', 'Content type', ({ contentType }) => describeContentType(contentType)),
];

export function GlobalMetadataListPage() {
  return (
    <ObjectListPage
      title="Global metadata"
      term="global-metadata"
      description="Metadata that connectors return about objects, under one definition regardless of the connector."
      paths={paths.globalMetadata}
      otherActions={
        <ActionButton
          action={{
            label: 'Promote from connector',
            needs: [
              ['attributes', 'list'],
              ['attributes', 'create'],
            ],
            dialog: ({ opened, onClose }) => opened && <PromoteDialog onClose={onClose} />,
          }}
        />
      }
      create={{ label: 'New global metadata', needs: ['attributes', 'create'] }}
      query={useQuery(globalMetadataListQuery)}
      what="global metadata"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No global metadata yet',
        text: 'Connectors return metadata about what they find and issue. Promote an item to show it under one label everywhere.',
      }}
    />
  );
}
