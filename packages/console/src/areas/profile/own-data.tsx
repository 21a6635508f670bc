// The signed-in user's details, and the fields that they can change.
import { Text, TextInput } from '@mantine/core';
import type { UserProfileDetailDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { PROFILE_KEY } from '../../api/query-client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { notify } from '../../ui/notices.tsx';
import { Panel } from '../../ui/panel.tsx';

export function OwnData({ profile }: { readonly profile: UserProfileDetailDto }) {
  const { uuid, username, firstName, lastName, email, description, groups, roles, systemUser } = profile;
  return (
    <Panel
      title="About you"
      actions={
        !systemUser && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Edit',
              name: 'Edit your details',
              dialog: ({ opened, onClose }) => opened && <EditDialog profile={profile} onClose={onClose} />,
            }}
          />
        )
      }
    >
      <Facts
        facts={[
          { name: 'Username', value: username },
          { name: 'Name', value: [firstName, lastName].filter(Boolean).join(' ') },
          { name: 'Email', value: email },
          { name: 'Description', value: description },
          { name: 'Roles', value: roles.map(({ name }) => name).join(', ') || 'none' },
          { name: 'Groups', value: groups.map(({ name }) => name).join(', ') || 'none' },
          identifierFact(uuid),
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm">
        Roles and groups are assigned by administrators.
      </Text>
    </Panel>
  );
}

function EditDialog({ profile, onClose }: { readonly profile: UserProfileDetailDto; readonly onClose: () => void }) {
  const { description } = profile;
  const [firstName, setFirstName] = useState(profile.firstName ?? '');
  const [lastName, setLastName] = useState(profile.lastName ?? '');
  const [email, setEmail] = useState(profile.email ?? '');
  const queries = useQueryClient();
  return (
    <FormDialog
      title="Your details"
      submitLabel="Save"
      onClose={onClose}
      submit={async () => {
        await api.auth.updateUserProfile({
          body: { firstName, lastName, email: email.trim(), ...(description === undefined ? {} : { description }) },
        });
        await Promise.all(
          [PROFILE_KEY, ['users']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })),
        );
        notify.done('Your details were saved.');
      }}
    >
      <TextInput
        data-autofocus
        label="First name"
        value={firstName}
        onChange={(event) => setFirstName(event.currentTarget.value)}
      />
      <TextInput label="Last name" value={lastName} onChange={(event) => setLastName(event.currentTarget.value)} />
      <TextInput label="Email" type="email" value={email} onChange={(event) => setEmail(event.currentTarget.value)} />
    </FormDialog>
  );
}
