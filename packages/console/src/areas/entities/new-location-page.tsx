// A new location: its entity decides which further fields there are.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../kit/actions.tsx';
import { listingQuery } from '../../kit/filters/listing.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { entityListing, locationDefinitionsQuery, type ListedEntity } from '../../queries/entities.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { LocationForm } from './location-form.tsx';

/** Nobody chooses from more; whoever has more opens the entity and adds the location there. */
const OFFERED = 1_000;

export function NewLocationPage() {
  return (
    <Page
      title="New location"
      description="The provider is asked at once what is there. Certificates that the inventory does not have are taken in."
      parent={{ to: paths.locations.list, label: 'Locations' }}
    >
      <Reading of={useQuery(listingQuery(entityListing, {}, OFFERED))} what="the entities" inPanel>
        {({ entities }) =>
          entities.length === 0 ? (
            <Panel>
              <NoEntities />
            </Panel>
          ) : (
            <NewLocation entities={entities} />
          )
        }
      </Reading>
    </Page>
  );
}

function NoEntities() {
  return (
    <Empty
      title="There is no entity yet"
      action={
        <ActionButton
          action={{
            label: 'New entity',
            isPrimary: true,
            needs: ['entities', 'create'],
            to: paths.entities.new,
          }}
        />
      }
    >
      A location is a place in a server or a store, so that comes first.
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
      <Empty title="Choose an entity">Each entity has its own settings.</Empty>
    ) : (
      <Reading of={definitions} what="the settings of the entity">
        {() => null}
      </Reading>
    );
  return (
    <LocationForm
      entityUuid={definitions.data ? entityUuid : undefined}
      definitions={definitions.data ?? []}
      instead={definitions.data ? undefined : instead}
      entityField={
        <Select
          label="Entity"
          description="The server or store that it is in."
          required
          searchable
          placeholder="Choose"
          data={usable.map(({ uuid, name, kind }) => ({ value: uuid, label: `${name} – ${wordsOfKind(kind)}` }))}
          value={entityUuid ?? null}
          onChange={(uuid) => setChosen(uuid ?? undefined)}
        />
      }
    />
  );
}
