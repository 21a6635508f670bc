// All entities: servers, devices and stores that certificates are put into.
import { IconServer } from '@tabler/icons-react';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FilteredList } from '../../kit/filters/filtered-list.tsx';
import { paths } from '../../kit/paths.ts';
import { entityListing, type ListedEntity } from '../../queries/entities.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { kindCodeWords } from './kinds.ts';

const newAction: Action = {
  label: 'New entity',
  icon: IconServer,
  isPrimary: true,
  needs: ['entities', 'create'],
  to: paths.entities.new,
};

const columns: readonly Column<ListedEntity>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, kind }) => <ObjectLink to={paths.entities.one(uuid)} name={name} detail={wordsOfKind(kind)} />,
  },
  {
    key: 'connector',
    title: 'Connector',
    cell: ({ connectorUuid, connectorName }) =>
      connectorUuid === undefined ? (
        connectorName
      ) : (
        <TextLink to={paths.connectors.one(connectorUuid)}>{connectorName}</TextLink>
      ),
  },
];

export function EntityListPage() {
  return (
    <Page
      title="Servers and stores"
      description="An entity is a server, device or store that certificates are put into. Its locations are the places in it that hold them."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <FilteredList
        listing={entityListing}
        what="entities"
        rowsOf={({ entities }) => entities}
        columns={columns}
        codeWords={kindCodeWords}
        empty={
          <Empty title="No entities yet" action={<ActionButton action={newAction} />}>
            Add a server or a store: certificates are then issued, installed and renewed where they are used.
          </Empty>
        }
      />
    </Page>
  );
}
