// All discoveries, newest first.
import { IconWorldSearch } from '@tabler/icons-react';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FilteredList } from '../../kit/filters/filtered-list.tsx';
import { paths } from '../../kit/paths.ts';
import { discoveryListing, type ListedDiscovery } from '../../queries/discoveries.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { DiscoveryState, stateTexts } from './state.tsx';

const newAction: Action = {
  label: 'New discovery',
  icon: IconWorldSearch,
  isPrimary: true,
  needs: ['discoveries', 'create'],
  to: paths.discoveries.new,
};

export function DiscoveryListPage() {
  return (
    <Page
      title="Discoveries"
      term="discovery"
      description="A discovery uses a connector to search for certificates in use, and adds new ones to the inventory."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <FilteredList
        listing={discoveryListing}
        what="discoveries"
        rowsOf={({ discoveries }) => discoveries}
        columns={columns}
        codeWords={{ DISCOVERY_STATUS: stateTexts }}
        empty={
          <Empty title="No discoveries yet" action={<ActionButton action={newAction} />}>
            Start one to find certificates that are not in the inventory.
          </Empty>
        }
      />
    </Page>
  );
}

const columns: readonly Column<ListedDiscovery>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, kind }) => (
      <ObjectLink to={paths.discoveries.one(uuid)} name={name} detail={describeKind(kind)} />
    ),
  },
  { key: 'state', title: 'State', cell: ({ status }) => <DiscoveryState of={status} /> },
  {
    key: 'found',
    title: 'Certificates',
    cell: ({ totalCertificatesDiscovered = 0 }) => formatCount(totalCertificatesDiscovered),
  },
  { key: 'connector', title: 'Connector', minor: true, cell: ({ connectorName }) => connectorName },
  { key: 'started', title: 'Started', minor: true, cell: ({ startTime }) => startTime && formatDateTime(startTime) },
  { key: 'ended', title: 'Finished', minor: true, cell: ({ endTime }) => (endTime ? formatDateTime(endTime) : '') },
];
