// Creates an access token for the signed-in user and shows it once.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import type { IssuedAccessToken } from '@signetry/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useProfile } from '../../api/session.ts';
import { DAY_MS, formatDateTime } from '../../format/dates.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { OneTimeDialog } from '../../kit/one-time-dialog.tsx';
import { ownTokensQuery } from '../../queries/sign-in.ts';
import { Code } from '../../ui/code.tsx';
import { Rejection } from '../../ui/rejection.tsx';

export function CreateToken() {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <ActionButton size="compact-sm" action={{ label: 'Create token', icon: IconKey, open: dialog.open }} />
      <OneTimeDialog<IssuedAccessToken>
        opened={opened}
        onClose={dialog.close}
        title="New access token"
        form={({ onCancel, onMade }) => <TokenForm onCancel={onCancel} onMade={onMade} />}
        madeTitle="Token created"
        what="the token"
        shown={({ token, name, expiresAt }) => (
          <>
            <Code place="Access token" text={token} wrap />
            <Code place="Shell" what="Example" text={`curl -H "Authorization: Bearer ${token}" ${exampleUrl()}`} />
            <Text size="sm" c="dimmed">
              {name} {expiresAt === undefined ? 'does not expire.' : `is valid until ${formatDateTime(expiresAt)}.`}
            </Text>
          </>
        )}
      />
    </>
  );
}

const exampleUrl = (): string => new URL('/api/v1/auth/profile', location.origin).href;

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'No expiry' },
] as const;

function TokenForm(props: { readonly onCancel: () => void; readonly onMade: (token: IssuedAccessToken) => void }) {
  const { onCancel, onMade } = props;
  const { roles } = useProfile();
  const [name, setName] = useState('');
  const [days, setDays] = useState<string>('90');
  const [role, setRole] = useState('');
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      api.accessTokens.createAccessToken({
        body: {
          name: name.trim(),
          ...(days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
          ...(role === '' ? {} : { scope: { roleUuid: role } }),
        },
      }),
    onSuccess: async (token) => {
      onMade(token);
      await queries.invalidateQueries({ queryKey: ownTokensQuery.queryKey });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') create.mutate();
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label="Name"
          description="The script or machine that uses it, so that you can identify the token later."
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select label="Valid for" data={[...lifetimes]} value={days} onChange={(value) => setDays(value ?? '90')} />
        <Select
          label="Permissions"
          description="Limited to the permissions that you have at the time of use."
          data={[
            { value: '', label: 'All of your permissions' },
            ...roles.map((each) => ({ value: each.uuid, label: `Only those of the role ${each.name}` })),
          ]}
          value={role}
          onChange={(value) => setRole(value ?? '')}
        />
        <Rejection error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
