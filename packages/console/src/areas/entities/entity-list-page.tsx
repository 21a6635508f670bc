// All entities: servers, devices and stores that use certificates.
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
import { describeKind } from '../connectors/kinds.ts';
import { kindCodeTexts } from './kinds.ts';

const newAction: Action = {
  label: 'New target',
  icon: IconServer,
  isPrimary: true,
  needs: ['entities', 'create'],
  to: paths.entities.new,
};

const columns: readonly Column<ListedEntity>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, kind }) => (
      <ObjectLink to={paths.entities.one(uuid)} name={name} detail={describeKind(kind)} />
    ),
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
      title="Targets"
      term="target"
      description="A target is a server, device or store on which certificates are installed. Its locations hold the certificates."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <FilteredList
        listing={entityListing}
        what="targets"
        rowsOf={({ entities }) => entities}
        columns={columns}
        codeWords={kindCodeTexts}
        empty={
          <Empty title="No targets yet" action={<ActionButton action={newAction} />}>
            Add a server or store to issue, install and renew certificates where they are used.
          </Empty>
        }
      />
    </Page>
  );
}
