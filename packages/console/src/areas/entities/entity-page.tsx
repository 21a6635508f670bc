// Page for a single entity: the connector's status, its locations and its settings.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMayList } from '../../api/session.ts';
import { ActionButton, Actions } from '../../kit/actions.tsx';
import { listingQuery } from '../../kit/filters/listing.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { entityQuery, inEntity, locationListing, type EntityDetail } from '../../queries/entities.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { kindOf } from './kinds.ts';
import { entityPageColumns } from './location-columns.tsx';
import { EntityState } from './state.tsx';

export function EntityPage() {
  return (
    <ObjectPage
      query={useQuery(entityQuery(useUuid()))}
      what="the target"
      parent={{ to: paths.entities.list, label: 'Targets' }}
      mark={({ status }) => status !== undefined && <EntityState of={status} />}
      actions={(entity) => <EntityActions entity={entity} />}
      main={(entity) => <Main entity={entity} />}
      side={(entity) => <Side entity={entity} />}
    />
  );
}

interface EntityProps {
  readonly entity: EntityDetail;
}

function EntityActions({ entity: { uuid, name, connectorUuid } }: EntityProps) {
  return (
    <Actions
      actions={[
        connectorUuid !== undefined && editAction(paths.entities.edit(uuid), ['entities', 'update', uuid]),
        removeAction({
          name,
          needs: ['entities', 'delete', uuid],
          remove: () => api.entities.deleteEntityInstance({ params: { entityUuid: uuid } }),
          consequence:
            'Its locations must be removed first. Installed certificates stay in place, but the platform can no longer reach the target.',
          list: paths.entities.list,
          queryKey: entityQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

const warnings: Readonly<Record<string, readonly [title: string, text: string]>> = {
  'without connector': ['Its connector was removed', 'Certificates can no longer be installed in its locations.'],
  unavailable: [
    'Its connector does not respond',
    'The last known data is shown. Check that the connector is running and that the platform can reach it.',
  ],
  'unknown to its connector': [
    'Unknown to its connector',
    'It was removed there, or the connector has lost its data. Remove the target and add it again.',
  ],
};

function Main({ entity }: EntityProps) {
  const { uuid, status = '', customAttributes } = entity;
  const warning = warnings[status];
  return (
    <>
      {warning && (
        <Callout tone="bad" title={warning[0]}>
          {warning[1]}
        </Callout>
      )}
      <Locations entity={entity} />
      <Panel title="Settings">
        <Settings entity={entity} />
      </Panel>
      <CustomValues resource="entities" uuid={uuid} values={customAttributes} refresh={['entities']} />
    </>
  );
}

/** Number of locations shown; the location list contains all of them. */
const SHOWN = 100;

function Locations({ entity: { uuid, name, connectorUuid } }: EntityProps) {
  const mayList = useMayList()('locations');
  const search = { filters: [inEntity(name)] };
  const query = useQuery({ ...listingQuery(locationListing, search, SHOWN), enabled: mayList });
  if (!mayList) return null;
  const newAction = {
    label: 'New location',
    needs: [
      ['locations', 'create'],
      ['entities', 'detail', uuid],
    ],
    to: paths.locations.newOf(uuid),
  } as const;
  const canBeAdded = connectorUuid !== undefined;
  return (
    <QueryView of={query} what="the locations" inPanel>
      {({ locations, totalItems }) => (
        <Panel
          title="Locations"
          flush
          actions={canBeAdded && totalItems > 0 && <ActionButton size="compact-sm" action={newAction} />}
        >
          {totalItems === 0 ? (
            <Empty title="No locations yet" action={canBeAdded && <ActionButton action={newAction} />}>
              A location is a place for certificates, such as the files of a server or a key store.
            </Empty>
          ) : (
            <>
              <Table
                label="Locations"
                columns={entityPageColumns}
                rows={locations}
                keyOf={(location) => location.uuid}
                nameOf={(location) => location.name}
              />
              {totalItems > locations.length && (
                <Text size="sm" c="dimmed" p="md">
                  Showing the first {locations.length} of {totalItems}; see the{' '}
                  <TextLink to={paths.locations.list} inSentence>
                    list of locations
                  </TextLink>{' '}
                  for all of them.
                </Text>
              )}
            </>
          )}
        </Panel>
      )}
    </QueryView>
  );
}

/** Uses the order and headings of the form once the definitions are loaded. */
function Settings({ entity }: EntityProps) {
  const mayList = useMayList();
  const connectors = useQuery({ ...connectorListQuery, enabled: mayList('connectors') });
  const definitions = useQuery(kindDefinitionsQuery(kindOf(entity, connectors.data ?? [])));
  if (entity.attributes.length > 0) return <AttributeFacts values={entity.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">No settings. The connector defaults apply.</Text>;
}

function Side({ entity: { uuid, kind, connectorUuid, connectorName } }: EntityProps) {
  return (
    <Panel title="Target">
      <Facts
        facts={[
          {
            name: 'Connector',
            value:
              connectorUuid === undefined ? (
                'Removed'
              ) : (
                <TextLink to={paths.connectors.one(connectorUuid)}>{connectorName}</TextLink>
              ),
          },
          { name: 'Kind', value: describeKind(kind) },
          identifierFact(uuid),
        ]}
      />
    </Panel>
  );
}
