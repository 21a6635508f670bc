// Page for a single delivery: its outcome and the reason for it, its recipients, and the data that was sent.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { DELIVERIES_KEY, deliveryQuery, type NamedDelivery } from '../../queries/notification-deliveries.ts';
import { Callout } from '../../ui/callout.tsx';
import { Code } from '../../ui/code.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { pageOfObject } from '../notifications/target-page.ts';
import { describeEvent } from '../notifications/texts.ts';
import { DeliveryState } from './state.tsx';

interface DeliveryProps {
  readonly delivery: NamedDelivery;
}

export function DeliveryPage() {
  return (
    <ObjectPage
      query={useQuery(deliveryQuery(useUuid()))}
      what="the delivery"
      parent={{ to: paths.notificationDeliveries.list, label: 'Deliveries' }}
      mark={({ state }) => <DeliveryState of={state} />}
      description={({ event }) => describeEvent(event)}
      actions={({ uuid, state, instanceUuid }) =>
        state !== 'waiting' &&
        instanceUuid !== undefined && (
          <ActionButton
            action={{
              label: 'Redeliver',
              isPrimary: state === 'failed',
              needs: ['notificationInstances', 'update'],
              run: () => api.notificationDeliveries.replayNotificationDelivery({ params: { uuid } }),
              done: 'Redelivery started.',
              refresh: DELIVERIES_KEY,
            }}
          />
        )
      }
      main={(delivery) => <Main delivery={delivery} />}
      side={(delivery) => <Side delivery={delivery} />}
    />
  );
}

const problemTitles = {
  waiting: ['warn', 'Last attempt failed'],
  delivered: ['warn', 'Some recipients were not notified'],
  failed: ['bad', 'Not delivered'],
} as const;

function Main({ delivery }: DeliveryProps) {
  const { state, problem, recipients, notificationData } = delivery;
  const [tone, title] = problemTitles[state];
  return (
    <>
      {problem !== undefined && (
        <Callout tone={tone} title={title}>
          {problem}
        </Callout>
      )}
      <Panel title="Recipients">
        {recipients.length === 0 ? (
          <Text c="dimmed">None. The provider was called without recipients.</Text>
        ) : (
          <Text>{recipients.map(({ name }) => name).join(', ')}</Text>
        )}
      </Panel>
      <Panel title="Event data">
        <Code place="JSON" text={JSON.stringify(notificationData ?? null, null, 2)} language="json" />
      </Panel>
    </>
  );
}

function Side({ delivery }: DeliveryProps) {
  const { uuid, instanceUuid, instanceName, profileUuid, profileName, profileVersion } = delivery;
  const { attempts, raisedAt, nextAttemptAt, endedAt, resource, objectUuid } = delivery;
  const object = pageOfObject(resource, objectUuid);
  const toLink = (name: string, to: string | undefined) =>
    to === undefined ? `${name} (removed)` : <TextLink to={to}>{name}</TextLink>;
  return (
    <Panel title="Delivery">
      <Facts
        facts={[
          {
            name: 'Provider',
            value: toLink(instanceName, instanceUuid && paths.notificationInstances.one(instanceUuid)),
          },
          {
            name: 'Profile',
            value: toLink(
              `${profileName}, version ${profileVersion}`,
              profileUuid && paths.notificationProfiles.version(profileUuid, profileVersion),
            ),
          },
          { name: 'Object', value: object && <TextLink to={object}>Open object</TextLink> },
          { name: 'Attempts', value: formatCount(attempts) },
          { name: 'Event time', value: formatDateTime(raisedAt) },
          {
            name: 'Next attempt',
            value: nextAttemptAt && `${formatDateTime(nextAttemptAt)} (${formatRelative(nextAttemptAt)})`,
          },
          { name: 'Finished', value: endedAt && formatDateTime(endedAt) },
          identifierFact(uuid),
        ]}
      />
    </Panel>
  );
}
