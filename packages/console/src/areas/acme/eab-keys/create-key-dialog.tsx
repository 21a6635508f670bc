// Creates an external account key and shows it once.
import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { DAY_MS, formatDateTime } from '../../../format/dates.ts';
import { OneTimeDialog } from '../../../kit/one-time-dialog.tsx';
import { Rejection } from '../../../ui/rejection.tsx';
import { ACME_KEY } from '../../../queries/acme.ts';
import { Code } from '../../../ui/code.tsx';
import { command, type ExternalKey } from '../clients/setup.ts';
import { NamePolicyFields } from '../settings/name-policy-fields.tsx';
import { namePolicyOf, noNamePolicy, type NamePolicyValues } from '../settings/name-policy-values.ts';
import type { IssuedEabKey, Profile } from '../shapes.ts';
import { certbotFlags, legoFlags } from '../clients/commands.ts';

export interface CreateKeyDialogProps {
  readonly profile: Profile;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated?: (key: ExternalKey) => void;
}

export function CreateKeyDialog({ profile, opened, onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <OneTimeDialog<IssuedEabKey>
      opened={opened}
      onClose={onClose}
      title={`New external account key for ${profile.name}`}
      form={({ onCancel, onMade }) => (
        <KeyForm
          profileUuid={profile.uuid}
          onCancel={onCancel}
          onCreated={(key) => {
            onMade(key);
            onCreated?.(key);
          }}
        />
      )}
      madeTitle="Key created"
      what="the MAC key"
      shown={(issued) => <IssuedKey issued={issued} />}
    />
  );
}

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'No expiry' },
] as const;

function KeyForm(props: {
  readonly profileUuid: string;
  readonly onCancel: () => void;
  readonly onCreated: (key: IssuedEabKey) => void;
}) {
  const { profileUuid, onCancel, onCreated } = props;
  const [description, setDescription] = useState('');
  const [days, setDays] = useState<string>('30');
  const [reusable, setReusable] = useState(false);
  const [names, setNames] = useState<NamePolicyValues>();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      api.acmeEabKeys.createAcmeEabKey({
        params: { uuid: profileUuid },
        body: {
          ...(description.trim() === '' ? {} : { description: description.trim() }),
          reusable,
          ...(names === undefined ? {} : { namePolicy: namePolicyOf(names) }),
          ...(days === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        },
      }),
    onSuccess: async (key) => {
      onCreated(key);
      await queries.invalidateQueries({ queryKey: ACME_KEY });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label="Description"
          description="Purpose of the key, such as a team or a machine"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Select
          label="Valid for"
          description="Accounts registered before then remain valid"
          data={[...lifetimes]}
          value={days}
          onChange={(value) => setDays(value ?? '30')}
        />
        <Switch
          label="Reusable"
          description="The key can register any number of accounts, instead of one"
          checked={reusable}
          onChange={(event) => setReusable(event.currentTarget.checked)}
        />
        <RestrictedNames names={names} onChange={setNames} />
        <Rejection error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RestrictedNames(props: {
  readonly names: NamePolicyValues | undefined;
  readonly onChange: (names: NamePolicyValues | undefined) => void;
}) {
  const { names, onChange } = props;
  return (
    <>
      <Switch
        label="Restrict names"
        description="Accounts can order only some of the names that the profile allows. Cannot be changed later."
        checked={names !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? noNamePolicy : undefined)}
      />
      {names && <NamePolicyFields values={names} onChange={onChange} />}
    </>
  );
}

/** Shows a new external account key. The MAC key is not shown anywhere else, so it must be copied now. */
function IssuedKey({ issued }: { readonly issued: IssuedEabKey }) {
  const { keyId, macKey, expiresAt, reusable } = issued;
  return (
    <Stack>
      <Code place="Key ID" text={keyId} />
      <Code place="MAC key" text={macKey} wrap />
      <Code place="Flags for certbot and acme.sh" text={command(...certbotFlags(issued))} />
      <Code place="Flags for lego" text={command(...legoFlags(issued))} />
      <Text size="sm" c="dimmed">
        {reusable ? 'This key can register any number of accounts' : 'This key can register one account'}
        {expiresAt === undefined ? '.' : `, until ${formatDateTime(expiresAt)}.`}
      </Text>
    </Stack>
  );
}
