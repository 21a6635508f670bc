// Page for a single discovery: its progress, its results (including those that could not be read), and a comparison
// with the previous discovery.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { removeAction } from '../../kit/common-actions.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { discoveryQuery, progressQuery, type DiscoveryDetail } from '../../queries/discoveries.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { findKind, kindsOfGroups, describeKind } from '../connectors/kinds.ts';
import { codeTexts } from '../certificates/filter-text.ts';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { hasMetadata, Metadata } from '../tokens/metadata.tsx';
import { EvaluationsPanel } from '../evaluations/evaluations-panel.tsx';
import { AutomationPanel } from '../workflows/automation-panel.tsx';
import { ResultLists } from './result-lists.tsx';
import { ProgressPanel, resumeAction, stopAction } from './progress.tsx';
import { DiscoveryState } from './state.tsx';

export function DiscoveryPage() {
  const uuid = useUuid();
  return (
    <ObjectPage
      query={useQuery(discoveryQuery(uuid))}
      what="the discovery"
      parent={{ to: paths.discoveries.list, label: 'Discoveries' }}
      mark={({ status }) => <DiscoveryState of={status} />}
      actions={(discovery) => <DiscoveryActions discovery={discovery} />}
      main={(discovery) => <Main discovery={discovery} />}
      side={(discovery) => <Side discovery={discovery} />}
    />
  );
}

interface DiscoveryProps {
  readonly discovery: DiscoveryDetail;
}

function DiscoveryActions({ discovery: { uuid, name } }: DiscoveryProps) {
  const { data: progress } = useQuery(progressQuery(uuid));
  return (
    <Actions
      actions={[
        progress?.stoppable && stopAction(uuid),
        progress?.resumable && resumeAction(uuid),
        removeAction({
          name,
          needs: ['discoveries', 'delete', uuid],
          remove: () => api.discoveries.deleteDiscovery({ params: { uuid } }),
          consequence: 'Its results are no longer listed here. Certificates that it added to the inventory stay there.',
          list: paths.discoveries.list,
          queryKey: discoveryQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}

function Main({ discovery }: DiscoveryProps) {
  const { uuid } = discovery;
  return (
    <QueryView of={useQuery(progressQuery(uuid))} what="the progress" inPanel>
      {(progress) => (
        <>
          <ProgressPanel progress={progress} />
          <ResultLists progress={progress} />
          <Panel title="Settings">
            <Settings discovery={discovery} />
          </Panel>
          {hasMetadata(discovery.metadata) && (
            <Panel title="Metadata">
              <Metadata metadata={discovery.metadata} />
            </Panel>
          )}
          <CustomValues
            resource="discoveries"
            uuid={uuid}
            values={discovery.customAttributes}
            refresh={['discoveries']}
          />
          <AutomationPanel resource="discoveries" uuid={uuid} />
          <EvaluationsPanel
            title="Rules for discovered certificates"
            of={{ associationObjectUuid: uuid }}
            codes={codeTexts}
            empty="No rules evaluated"
          />
        </>
      )}
    </QueryView>
  );
}

/** Uses the order and headings of the form once the definitions are loaded. */
function Settings({ discovery }: DiscoveryProps) {
  const connectors = useQuery(connectorListQuery);
  const kinds = kindsOfGroups(connectors.data ?? [], ['discoveryProvider']);
  const definitions = useQuery(kindDefinitionsQuery(findKind(kinds, discovery)));
  if (discovery.attributes.length > 0)
    return <AttributeFacts values={discovery.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">No settings. The connector defaults apply.</Text>;
}

function Side({ discovery }: DiscoveryProps) {
  const { uuid, kind, connectorUuid, connectorName, startTime, endTime } = discovery;
  const { data: progress } = useQuery(progressQuery(uuid));
  return (
    <Panel title="Discovery">
      <Facts
        facts={[
          {
            name: 'Connector',
            value:
              connectorUuid === '' ? (
                connectorName
              ) : (
                <TextLink to={paths.connectors.one(connectorUuid)}>{connectorName}</TextLink>
              ),
          },
          { name: 'Kind', value: describeKind(kind) },
          { name: 'Started by', value: progress?.startedBy },
          { name: 'Started', value: startTime ? formatDateTime(startTime) : undefined },
          { name: 'Finished', value: endTime ? formatDateTime(endTime) : undefined },
          identifierFact(uuid),
        ]}
      />
    </Panel>
  );
}
