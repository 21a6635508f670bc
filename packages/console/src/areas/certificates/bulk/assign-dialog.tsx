// Assigns an owner, groups or an RA profile to multiple certificates. Values whose fields are left blank are not
// changed.
import { MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useMayList } from '../../../api/session.ts';
import { useGroups, useUsers } from '../../../queries/people.ts';
import { raProfileListQuery } from '../../../queries/ra-profiles.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { requestFor, describeSelection, type BulkSelection } from './selection.ts';
import { describeAssigned } from './texts.ts';

/** Number of options shown. The user can type to find others. */
const SHOWN = 50;
/** Choice that removes the current value. */
const NONE = 'none';

interface AssignDialogProps {
  readonly chosen: BulkSelection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

const choicesOf = (none: string, objects: readonly { readonly uuid: string; readonly name: string }[] = []) => [
  { value: NONE, label: none },
  ...objects.map(({ uuid: value, name: label }) => ({ value, label })),
];
const nameIn = (choices: readonly Choice[], value: string): string =>
  value === NONE ? '' : (choices.find((choice) => choice.value === value)?.label ?? value);
const toRequestValue = (value: string): string => (value === NONE ? '' : value);

/** Rendered only while open. */
export function BulkAssignDialog({ chosen, onClose, onDone }: AssignDialogProps) {
  const choices = useChoices();
  const [given, setGiven] = useState<AssignedValues>({ owner: null, groups: [], profile: null });
  const words = describeAssigned(namesOf(given, choices));
  return (
    <ChangeDialog
      title={`Assign owner, groups or RA profile to ${describeSelection(chosen)}`}
      verb="Assign"
      isReady={words !== undefined}
      onClose={onClose}
      onDone={onDone}
      begin={() =>
        api.certificateChanges.updateManyCertificates({ body: { ...requestFor(chosen), ...identifiersOf(given) } })
      }
    >
      <Stack gap="md">
        <Fields given={given} choices={choices} onChange={setGiven} />
        <Text size="sm" role="status">
          {words === undefined ? (
            'Choose what to assign. Anything you leave blank stays unchanged.'
          ) : (
            <>
              For {describeSelection(chosen)}: <strong>{words}</strong> Archived certificates are rejected.
            </>
          )}
        </Text>
      </Stack>
    </ChangeDialog>
  );
}

/** Values that are null or empty are left unchanged. */
interface AssignedValues {
  readonly owner: string | null;
  readonly groups: readonly string[];
  readonly profile: string | null;
}

type Choices = ReturnType<typeof useChoices>;

const namesOf = ({ owner, groups, profile }: AssignedValues, choices: Choices) => ({
  ...(owner !== null && { owner: nameIn(choices.users ?? [], owner) }),
  ...(groups.length > 0 && {
    groups: groups.filter((each) => each !== NONE).map((each) => nameIn(choices.groups ?? [], each)),
  }),
  ...(profile !== null && { raProfile: nameIn(choices.profiles ?? [], profile) }),
});

const identifiersOf = ({ owner, groups, profile }: AssignedValues) => ({
  ...(owner !== null && { ownerUuid: toRequestValue(owner) }),
  ...(groups.length > 0 && { groupUuids: groups.filter((each) => each !== NONE) }),
  ...(profile !== null && { raProfileUuid: toRequestValue(profile) }),
});

const ofMany = { searchable: true, clearable: true, limit: SHOWN, nothingFoundMessage: 'Nothing found' } as const;

interface FieldsProps {
  readonly given: AssignedValues;
  readonly choices: Choices;
  readonly onChange: (given: AssignedValues) => void;
}

function Fields({ given, choices: { users, groups, profiles }, onChange }: FieldsProps) {
  return (
    <>
      {users && (
        <Select
          {...ofMany}
          label="Owner"
          placeholder="Leave unchanged"
          data-autofocus
          data={users}
          value={given.owner}
          onChange={(owner) => onChange({ ...given, owner })}
        />
      )}
      {groups && (
        <MultiSelect
          {...ofMany}
          label="Groups"
          description="Replaces the current groups."
          placeholder={given.groups.length === 0 ? 'Leave unchanged' : ''}
          hidePickedOptions
          data={groups}
          value={[...given.groups]}
          // "No groups" and individual groups are mutually exclusive; the most recent choice wins.
          onChange={(next) =>
            onChange({ ...given, groups: next.at(-1) === NONE ? [NONE] : next.filter((each) => each !== NONE) })
          }
        />
      )}
      {profiles && (
        <Select
          {...ofMany}
          label="RA profile"
          description="The profile's authority must recognize each certificate; unknown certificates are rejected."
          placeholder="Leave unchanged"
          data={profiles}
          value={given.profile}
          onChange={(profile) => onChange({ ...given, profile })}
        />
      )}
    </>
  );
}

/** Returns undefined for types of objects that the user cannot list. */
function useChoices() {
  const mayList = useMayList();
  const { data: users } = useQuery(useUsers());
  const { data: groups } = useQuery(useGroups());
  const { data: profiles } = useQuery({ ...raProfileListQuery, enabled: mayList('raProfiles') });
  const people = users?.filter(({ systemUser }) => !systemUser);
  return {
    users: mayList('users') ? choicesOf('No owner', people) : undefined,
    groups: mayList('groups') ? choicesOf('No groups', groups) : undefined,
    profiles: mayList('raProfiles')
      ? choicesOf(
          'No RA profile',
          profiles?.filter(({ enabled }) => enabled),
        )
      : undefined,
  };
}
