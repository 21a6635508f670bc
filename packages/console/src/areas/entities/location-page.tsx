// Page for a single location: its certificates and their states, the endpoint that serves them, and its settings.
import { Text } from '@mantine/core';
import type { LocationOperation } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../format/dates.ts';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import {
  deploymentQuery,
  locationDefinitionsQuery,
  locationQuery,
  type LocationDetail,
} from '../../queries/entities.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { hasMetadata, Metadata } from '../tokens/metadata.tsx';
import { HeldCertificates } from './held-certificates.tsx';
import { LocationActions } from './location-actions.tsx';
import { useLocationPath } from './location-path.ts';
import { ProbePanel } from './probe-panel.tsx';

export function LocationPage() {
  const place = useLocationPath();
  const query = useQuery(locationQuery(place));
  return (
    <ObjectPage
      query={query}
      what="the location"
      parent={{ to: paths.entities.one(place.entityUuid), label: query.data?.entityInstanceName ?? 'Target' }}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      description={({ description }) => description}
      actions={(location) => <LocationActions location={location} />}
      main={(location) => <Main location={location} />}
      side={(location) => <Side location={location} />}
    />
  );
}

interface LocationProps {
  readonly location: LocationDetail;
}

function Main({ location }: LocationProps) {
  const { uuid, metadata, customAttributes } = location;
  const place = useLocationPath();
  return (
    <>
      <QueryView of={useQuery(deploymentQuery(place))} what="the state of its certificates" inPanel>
        {(deployment) => (
          <>
            {deployment.readingProblem !== undefined && (
              <Callout tone="warn" title="The location could not be read completely">
                {deployment.readingProblem}
              </Callout>
            )}
            {deployment.operation && <OperationNotice operation={deployment.operation} />}
            <HeldCertificates location={location} deployment={deployment} />
            <ProbePanel location={location} probe={deployment.probe} />
          </>
        )}
      </QueryView>
      <Panel title="Settings">
        <Settings location={location} />
      </Panel>
      {hasMetadata(metadata) && (
        <Panel title="Metadata">
          <Metadata metadata={metadata} />
        </Panel>
      )}
      <CustomValues
        resource="locations"
        uuid={uuid}
        values={customAttributes}
        refresh={['locations']}
        needs={['entities', 'detail', place.entityUuid]}
      />
    </>
  );
}

const OPERATIONS: Readonly<Record<LocationOperation['kind'], string>> = {
  push: 'A push',
  issue: 'Issuing a certificate',
  renew: 'A renewal',
  remove: 'Removing a certificate',
  recover: 'Checking the result of an interrupted operation',
};

/** Shows the operation in progress. All other operations wait until it is finished. */
function OperationNotice({ operation }: { readonly operation: LocationOperation }) {
  const { kind, requestedBy, startedAt, interrupted } = operation;
  const title = `${OPERATIONS[kind]} ${interrupted ? 'was interrupted' : 'is in progress'}`;
  return (
    <Callout tone={interrupted ? 'warn' : 'wait'} title={title}>
      Requested by {requestedBy} at {formatDateTime(startedAt)}.{' '}
      {interrupted
        ? 'The platform is checking the result.'
        : 'Other operations on this location wait for it to finish.'}
    </Callout>
  );
}

/** Uses the order and headings of the form once the definitions are loaded. */
function Settings({ location: { attributes, entityInstanceUuid } }: LocationProps) {
  const { data: definitions } = useQuery(locationDefinitionsQuery(entityInstanceUuid));
  if (attributes.length > 0) return <AttributeFacts values={attributes} definitions={definitions} />;
  return <Text c="dimmed">No settings. The target defaults apply.</Text>;
}

function Side({ location }: LocationProps) {
  const { uuid, entityInstanceUuid, entityInstanceName, supportMultipleEntries, supportKeyManagement } = location;
  const readAt = useQuery(deploymentQuery(useLocationPath())).data?.readAt;
  return (
    <Panel title="Location">
      <Facts
        facts={[
          {
            name: 'Target',
            value: <TextLink to={paths.entities.one(entityInstanceUuid)}>{entityInstanceName}</TextLink>,
          },
          { name: 'Capacity', value: supportMultipleEntries ? 'multiple certificates' : 'one certificate' },
          {
            name: 'Keys',
            value: supportKeyManagement ? 'generated here, never leave the location' : 'cannot be generated here',
          },
          { name: 'Last read', value: readAt && formatDateTime(readAt) },
          identifierFact(uuid),
        ]}
      />
    </Panel>
  );
}
