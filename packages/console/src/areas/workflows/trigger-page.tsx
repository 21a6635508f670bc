// Details of a trigger: its summary, assignments and components.
import { List, Text } from '@mantine/core';
import type { PlacedTrigger, TriggerPlace } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { placedTriggersQuery, WORKFLOWS_KEY } from '../../queries/workflows.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NoTrigger } from './no-trigger.tsx';
import { removeTrigger } from './remove-trigger.ts';
import { SentenceText } from './sentence.tsx';
import { codeTexts } from '../certificates/filter-text.ts';
import { EvaluationsPanel } from '../evaluations/evaluations-panel.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { eventTexts, formatList } from '../evaluations/texts.ts';
import { sentenceOf, describeAssignment } from './texts.ts';

export function TriggerPage() {
  const uuid = useUuid();
  const triggers = useQuery(placedTriggersQuery);
  const trigger = triggers.data?.find((each) => each.uuid === uuid);
  if (triggers.data && !trigger) return <NoTrigger />;
  return (
    <ObjectPage
      query={{ ...triggers, data: trigger }}
      what="the rule"
      parent={{ to: paths.automation.list, label: 'Automation' }}
      mark={({ places }) =>
        places.length > 0 ? <State tone="good">Assigned</State> : <State tone="none">Not assigned</State>
      }
      description={({ description }) => description}
      actions={(of) => <TriggerActions trigger={of} />}
      main={(of) => (
        <>
          <Panel title="Summary">
            <SentenceText of={sentenceOf(of)} large />
          </Panel>
          <EvaluationsPanel title="History" of={{ triggerUuid: of.uuid }} codes={codeTexts} empty="Not evaluated yet" />
        </>
      )}
      side={(of) => (
        <>
          <Assignments trigger={of} />
          <TrialPanel
            resource={of.resource}
            event={of.event ?? null}
            of={{ triggerUuid: of.uuid }}
            ignores={of.ignoreTrigger}
          />
          <Details trigger={of} />
        </>
      )}
    />
  );
}

interface TriggerProps {
  readonly trigger: PlacedTrigger;
}

function TriggerActions({ trigger }: TriggerProps) {
  const { uuid, name, places } = trigger;
  return (
    <Actions
      actions={[
        editAction(paths.automation.edit(uuid), ['triggers', 'update', uuid]),
        removeAction({
          name,
          needs: ['triggers', 'delete', uuid],
          remove: () => removeTrigger(trigger),
          consequence: `${
            places.length === 0
              ? ''
              : `It no longer applies to ${formatList([...new Set(places.map(describeAssignment))])}. `
          }Its conditions and actions are also removed unless other rules use them. Completed actions are not undone.`,
          list: paths.automation.list,
          queryKey: [...WORKFLOWS_KEY, 'none'],
        }),
      ]}
    />
  );
}

function Assignments({ trigger: { event, places } }: TriggerProps) {
  return (
    <Panel title="Assigned to">
      {places.length === 0 ? (
        <Text c="dimmed">Not assigned, so the rule does nothing. Edit it to choose where it applies.</Text>
      ) : (
        <List listStyleType="none" spacing="xs">
          {places.map((place) => (
            <List.Item key={`${place.event} ${place.objectUuid ?? ''}`}>
              <AssignmentLink place={place} />
              <Text size="xs" c="dimmed">
                {[event === undefined && eventTexts[place.event], `runs with the permissions of ${place.triggeredBy}`]
                  .filter(Boolean)
                  .join(', ')}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  );
}

function AssignmentLink({ place }: { readonly place: TriggerPlace }) {
  const { resource, objectUuid, objectName } = place;
  const words = describeAssignment(place);
  if (objectUuid === undefined || objectName === undefined) return <Text size="sm">{words}</Text>;
  if (resource !== 'raProfiles' && resource !== 'groups' && resource !== 'discoveries') return <Text>{words}</Text>;
  return <TextLink to={paths[resource].one(objectUuid)}>{words}</TextLink>;
}

/** A trigger's components, named as in the API. */
function Details({ trigger: { uuid, rules, actions } }: TriggerProps) {
  const joinNames = (parts: readonly { readonly name: string }[]): string => parts.map(({ name }) => name).join(', ');
  return (
    <Panel title="Components">
      <Facts
        facts={[
          { name: 'Rules', value: joinNames(rules) },
          { name: 'Conditions', value: joinNames(rules.flatMap(({ conditions }) => conditions)) },
          { name: 'Actions', value: joinNames(actions) },
          { name: 'Executions', value: joinNames(actions.flatMap(({ executions }) => executions)) },
          identifierFact(uuid),
        ]}
      />
      <Text size="sm" mt="sm">
        <TextLink to={paths.automation.parts}>All components and their uses</TextLink>
      </Text>
    </Panel>
  );
}
