// All locations, for all entities.
import { IconMapPin } from '@tabler/icons-react';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FilteredList } from '../../kit/filters/filtered-list.tsx';
import { paths } from '../../kit/paths.ts';
import { locationListing } from '../../queries/entities.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { columns } from './location-columns.tsx';
import { locationTexts } from './state.tsx';

const newAction: Action = {
  label: 'New location',
  icon: IconMapPin,
  isPrimary: true,
  needs: ['locations', 'create'],
  to: paths.locations.new,
};

export function LocationListPage() {
  return (
    <Page
      title="Locations"
      term="location"
      description="A location is a place for certificates, such as the files that a server reads, or a key store. Certificates are issued, installed and renewed there."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <FilteredList
        listing={locationListing}
        what="locations"
        rowsOf={({ locations }) => locations}
        columns={columns}
        codeWords={{ LOCATION_STATE: locationTexts }}
        empty={
          <Empty title="No locations yet" action={<ActionButton action={newAction} />}>
            Add one for each place where a server or store keeps a certificate. Its current contents are shown
            immediately.
          </Empty>
        }
      />
    </Page>
  );
}
