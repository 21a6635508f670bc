// Page for editing a location. When it is saved, the platform reads the location from the provider again.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { locationDefinitionsQuery, locationQuery } from '../../queries/entities.ts';
import { LocationForm } from './location-form.tsx';
import { useLocationPath } from './location-path.ts';

export function EditLocationPage() {
  const place = useLocationPath();
  const definitions = useQuery(locationDefinitionsQuery(place.entityUuid));
  return (
    <EditPage
      query={useQuery(locationQuery(place))}
      what="the location"
      paths={paths.locations.of(place.entityUuid)}
      description="When you save, the platform reads the current contents from the provider."
    >
      {(location) => (
        <QueryView of={definitions} what="the settings of the target" inPanel>
          {(definitions) => (
            <LocationForm entityUuid={place.entityUuid} definitions={definitions} location={location} />
          )}
        </QueryView>
      )}
    </EditPage>
  );
}
