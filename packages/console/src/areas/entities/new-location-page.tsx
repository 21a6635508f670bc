// Creates a location. Its entity determines the other fields.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { listingQuery } from '../../kit/filters/listing.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { entityListing, locationDefinitionsQuery, type ListedEntity } from '../../queries/entities.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { LocationForm } from './location-form.tsx';

/**
 * Maximum number of entities in the selector. If there are more, users can add the location from the entity's page
 * instead.
 */
const OFFERED = 1_000;

export function NewLocationPage() {
  return (
    <Page
      title="New location"
      description="The platform immediately reads the contents from the provider and imports certificates that are not in the inventory."
      parent={{ to: paths.locations.list, label: 'Locations' }}
    >
      <QueryView of={useQuery(listingQuery(entityListing, {}, OFFERED))} what="the targets" inPanel>
        {({ entities }) =>
          entities.length === 0 ? (
            <Panel>
              <NoEntities />
            </Panel>
          ) : (
            <NewLocation entities={entities} />
          )
        }
      </QueryView>
    </Page>
  );
}

function NoEntities() {
  return (
    <Empty
      title="No targets yet"
      action={
        <ActionButton
          action={{
            label: 'New target',
            isPrimary: true,
            needs: ['entities', 'create'],
            to: paths.entities.new,
          }}
        />
      }
    >
      A location is part of a target, so create the target first.
    </Empty>
  );
}

function NewLocation({ entities }: { readonly entities: readonly ListedEntity[] }) {
  const { entity: wanted }: { readonly entity?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState(wanted);
  const usable = entities.filter(({ connectorUuid }) => connectorUuid !== undefined);
  const entityUuid = chosen ?? (usable.length === 1 ? usable[0]?.uuid : undefined);
  const definitions = useQuery(locationDefinitionsQuery(entityUuid));
  const instead =
    entityUuid === undefined ? (
      <Empty title="Choose a target">Each target has its own settings.</Empty>
    ) : (
      <QueryView of={definitions} what="the settings of the target">
        {() => null}
      </QueryView>
    );
  return (
    <LocationForm
      entityUuid={definitions.data ? entityUuid : undefined}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      entityField={
        <Select
          label="Target"
          description="The server or store that contains the location."
          required
          searchable
          placeholder="Choose"
          data={usable.map(({ uuid, name, kind }) => ({ value: uuid, label: `${name} – ${describeKind(kind)}` }))}
          value={entityUuid ?? null}
          onChange={(uuid) => setChosen(uuid ?? undefined)}
        />
      }
    />
  );
}
