// Fields for a trigger's assignments: to all objects, or to RA profiles, groups or discoveries, depending on the event.
import { Checkbox, MultiSelect, Stack, Text } from '@mantine/core';
import { resourceEventFacts, type PlacedTrigger, type Resource, type ResourceEvent } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useMayList, useProfile } from '../../api/session.ts';
import { listingQuery } from '../../kit/filters/listing.ts';
import { useMay } from '../../kit/use-may.ts';
import { discoveryListing } from '../../queries/discoveries.ts';
import { useGroups } from '../../queries/people.ts';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';
import { keyOfScope, type TriggerScope } from './trigger-values.ts';
import { formatList } from '../evaluations/texts.ts';

export interface AssignmentFieldsProps {
  readonly event: ResourceEvent | null;
  readonly places: readonly TriggerScope[];
  /** All triggers, including the one being edited. */
  readonly triggers: readonly PlacedTrigger[];
  readonly own: PlacedTrigger | undefined;
  readonly onChange: (places: readonly TriggerScope[]) => void;
}

const words: Partial<Readonly<Record<Resource, readonly [label: string, hint: string]>>> = {
  raProfiles: ['RA profiles', 'Certificates of these RA profiles.'],
  groups: ['Groups', 'Certificates of these groups.'],
  discoveries: ['Discoveries', 'Certificates found by these discoveries.'],
};

/** Maximum number of discoveries offered, newest first. */
const DISCOVERIES_OFFERED = 200;

export function AssignmentFields({ event, places, triggers, own, onChange }: AssignmentFieldsProps) {
  const may = useMay();
  const isEverywhere = places.some((place) => keyOfScope(place) === '');
  const mayEverywhere = may([
    ['settings', 'update'],
    ['settings', 'detail'],
  ]);
  const holders = event === null ? [] : resourceEventFacts[event].overridingResources;
  return (
    <Stack gap="md">
      <Checkbox
        label="Everywhere"
        description={
          mayEverywhere
            ? 'All objects, regardless of RA profile, group or discovery.'
            : 'Requires permission to change the platform settings.'
        }
        disabled={!mayEverywhere}
        checked={isEverywhere}
        onChange={({ currentTarget: { checked } }) =>
          onChange(checked ? [{}, ...places] : places.filter((place) => keyOfScope(place) !== ''))
        }
      />
      {holders.map((resource) => (
        <Holders key={resource} resource={resource} places={places} own={own} onChange={onChange} />
      ))}
      {places.length === 0 && (
        <Text size="sm" c="dimmed">
          Not assigned. The rule is saved, but does nothing until it is assigned.
        </Text>
      )}
      <RightsNotice event={event} places={places} triggers={triggers} own={own} />
    </Stack>
  );
}

interface HoldersProps extends Pick<AssignmentFieldsProps, 'places' | 'own' | 'onChange'> {
  readonly resource: Resource;
}

function Holders({ resource, places, own, onChange }: HoldersProps) {
  const { objects, isListed } = useHolders(resource);
  const [label, hint] = words[resource] ?? [resource, ''];
  const chosen = places.filter((place) => place.resource === resource).flatMap(({ objectUuid }) => objectUuid ?? []);
  const named = new Map<string, string>();
  for (const { objectUuid, objectName } of own?.places ?? [])
    if (objectUuid !== undefined) named.set(objectUuid, objectName ?? objectUuid);
  for (const { uuid, name } of objects) named.set(uuid, name);
  for (const uuid of chosen) if (!named.has(uuid)) named.set(uuid, uuid);
  if (!isListed && chosen.length === 0) return null;
  return (
    <MultiSelect
      label={label}
      description={hint}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Remove all ${label}` }}
      placeholder={chosen.length === 0 ? 'None' : ''}
      nothingFoundMessage="Nothing found"
      data={[...named].map(([value, name]) => ({ value, label: name }))}
      value={chosen}
      onChange={(next) =>
        onChange([
          ...places.filter((place) => place.resource !== resource),
          ...next.map((objectUuid) => ({ resource, objectUuid })),
        ])
      }
    />
  );
}

function useHolders(resource: Resource) {
  const mayList = useMayList();
  const isListed = mayList(resource);
  const isNeeded = (of: Resource): boolean => of === resource && isListed;
  const raProfiles = useQuery({ ...raProfileListQuery, enabled: isNeeded('raProfiles') });
  const groups = useQuery({ ...useGroups(), enabled: isNeeded('groups') });
  const discoveries = useQuery({
    ...listingQuery(discoveryListing, {}, DISCOVERIES_OFFERED),
    enabled: isNeeded('discoveries'),
  });
  const found = { raProfiles: raProfiles.data, groups: groups.data, discoveries: discoveries.data?.discoveries };
  const objects: readonly { readonly uuid: string; readonly name: string }[] =
    resource === 'raProfiles' || resource === 'groups' || resource === 'discoveries' ? (found[resource] ?? []) : [];
  return { objects, isListed };
}

/**
 * Shows whose permissions apply. After a trigger list is changed, all actions in it run with the permissions of the
 * user who changed it.
 */
function RightsNotice({
  event,
  places,
  triggers,
  own,
}: Pick<AssignmentFieldsProps, 'event' | 'places' | 'triggers' | 'own'>) {
  const { username } = useProfile();
  const known = new Set((own?.places ?? []).filter((place) => place.event === event).map(keyOfScope));
  const added = places.map(keyOfScope).filter((key) => !known.has(key));
  if (added.length === 0) return null;
  const taken = triggers
    .filter(({ uuid }) => uuid !== own?.uuid)
    .filter((trigger) =>
      trigger.places.some(
        (place) => place.event === event && added.includes(keyOfScope(place)) && place.triggeredBy !== username,
      ),
    );
  return (
    <Text size="sm" c="dimmed">
      Actions run with your permissions.
      {taken.length > 0 &&
        ` This then also applies to other rules with the same assignment and event: ${formatList(taken.map(({ name }) => name))}.`}
    </Text>
  );
}
