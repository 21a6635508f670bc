// Gives many certificates an owner, groups or an RA profile. What is not touched stays as it is.
import { MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useMayList } from '../../../api/session.ts';
import { useGroups, useUsers } from '../../../queries/people.ts';
import { raProfileListQuery } from '../../../queries/ra-profiles.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { requestFor, wordsOfChosen, type Chosen } from './chosen.ts';
import { wordsOfAssigned } from './words.ts';

/** More are found by typing. */
const SHOWN = 50;
/** In place of an identifier: what is there now is removed. */
const NONE = 'none';

interface AssignDialogProps {
  readonly chosen: Chosen;
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
const sent = (value: string): string => (value === NONE ? '' : value);

/** Rendered only while it is open. */
export function AssignManyDialog({ chosen, onClose, onDone }: AssignDialogProps) {
  const { users, groups, profiles } = useChoices();
  const [owner, setOwner] = useState<string | null>(null);
  const [given, setGiven] = useState<readonly string[]>([]);
  const [profile, setProfile] = useState<string | null>(null);
  const isWithoutGroups = given.includes(NONE);
  const words = wordsOfAssigned({
    ...(owner !== null && { owner: nameIn(users ?? [], owner) }),
    ...(given.length > 0 && { groups: isWithoutGroups ? [] : given.map((each) => nameIn(groups ?? [], each)) }),
    ...(profile !== null && { raProfile: nameIn(profiles ?? [], profile) }),
  });
  return (
    <ChangeDialog
      title={`Assign owner, groups or RA profile to ${wordsOfChosen(chosen)}`}
      verb="Assign"
      isReady={words !== undefined}
      onClose={onClose}
      onDone={onDone}
      begin={() =>
        api.certificateChanges.updateManyCertificates({
          body: {
            ...requestFor(chosen),
            ...(owner !== null && { ownerUuid: sent(owner) }),
            ...(given.length > 0 && { groupUuids: isWithoutGroups ? [] : [...given] }),
            ...(profile !== null && { raProfileUuid: sent(profile) }),
          },
        })
      }
    >
      <Stack gap="md">
        {users && (
          <Select
            label="Owner"
            placeholder="Leave as it is"
            data-autofocus
            searchable
            clearable
            limit={SHOWN}
            nothingFoundMessage="Nothing found"
            data={users}
            value={owner}
            onChange={setOwner}
          />
        )}
        {groups && (
          <MultiSelect
            label="Groups"
            description="They take the place of the present ones."
            placeholder={given.length === 0 ? 'Leave as they are' : ''}
            searchable
            clearable
            hidePickedOptions
            limit={SHOWN}
            nothingFoundMessage="Nothing found"
            data={groups}
            value={[...given]}
            // "No groups" and a group exclude each other; what was chosen last counts.
            onChange={(next) => setGiven(next.at(-1) === NONE ? [NONE] : next.filter((each) => each !== NONE))}
          />
        )}
        {profiles && (
          <Select
            label="RA profile"
            description="Its authority is asked about each certificate; those that it does not know are refused."
            placeholder="Leave as it is"
            searchable
            clearable
            limit={SHOWN}
            nothingFoundMessage="Nothing found"
            data={profiles}
            value={profile}
            onChange={setProfile}
          />
        )}
        <Text size="sm" role="status">
          {words === undefined ? (
            'Choose what to assign. What you leave stays as it is.'
          ) : (
            <>
              For {wordsOfChosen(chosen)}: <strong>{words}</strong> Archived ones are refused.
            </>
          )}
        </Text>
      </Stack>
    </ChangeDialog>
  );
}

/** Undefined for what the user may not list. */
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
