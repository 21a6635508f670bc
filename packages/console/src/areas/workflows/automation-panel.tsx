// Rules for the certificates of an RA profile, group or discovery, shown on that object's page.
import { Stack, Text } from '@mantine/core';
import { resourceEventFacts, type PlacedTrigger } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useMayList } from '../../api/session.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { placedTriggersQuery } from '../../queries/workflows.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { SentenceText } from './sentence.tsx';
import { sentenceOf } from './texts.ts';

export interface AutomationPanelProps {
  readonly resource: 'raProfiles' | 'groups' | 'discoveries';
  readonly uuid: string;
}

export function AutomationPanel({ resource, uuid }: AutomationPanelProps) {
  const isShown = useMayList()('triggers');
  const triggers = useQuery({ ...placedTriggersQuery, enabled: isShown });
  if (!isShown) return null;
  return (
    <Panel
      title="Automation"
      actions={
        <ActionButton
          size="compact-sm"
          action={{
            label: 'Add',
            name: 'Add rule',
            icon: IconPlus,
            needs: [
              ['triggers', 'create'],
              [resource, 'update', uuid],
            ],
            to: paths.automation.newAt(resource, uuid),
          }}
        />
      }
    >
      <QueryView of={triggers} what="the rules">
        {(all) => <AppliedRules {...splitTriggers(all, { resource, uuid })} />}
      </QueryView>
    </Panel>
  );
}

interface AppliedTriggers {
  /** Triggers assigned to this object itself. */
  readonly own: readonly PlacedTrigger[];
  /** Triggers assigned to all objects, for events that can also be assigned to this type of object. */
  readonly everywhere: readonly PlacedTrigger[];
}

const splitTriggers = (all: readonly PlacedTrigger[], { resource, uuid }: AutomationPanelProps): AppliedTriggers => ({
  own: all.filter(({ places }) => places.some(({ objectUuid }) => objectUuid === uuid)),
  everywhere: all.filter(({ places }) =>
    places.some(
      ({ event, objectUuid }) =>
        objectUuid === undefined && resourceEventFacts[event].overridingResources.some((each) => each === resource),
    ),
  ),
});

function AppliedRules({ own, everywhere }: AppliedTriggers) {
  return (
    <Stack gap="sm">
      {own.length === 0 && everywhere.length === 0 && <Text c="dimmed">No rules apply.</Text>}
      {own.map((trigger) => (
        <div key={trigger.uuid}>
          <TextLink to={paths.automation.one(trigger.uuid)}>{trigger.name}</TextLink>
          <Text size="sm" c="dimmed" component="div">
            <SentenceText of={sentenceOf(trigger)} />
          </Text>
        </div>
      ))}
      {everywhere.length > 0 && (
        <Text size="sm" c="dimmed">
          {own.length > 0 ? 'Also assigned everywhere: ' : 'Assigned everywhere: '}
          {everywhere.map(({ uuid, name }, place) => (
            <span key={uuid}>
              {place > 0 && ', '}
              <TextLink inSentence to={paths.automation.one(uuid)}>
                {name}
              </TextLink>
            </span>
          ))}
        </Text>
      )}
    </Stack>
  );
}
