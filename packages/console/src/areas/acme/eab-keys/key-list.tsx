// External account keys of a profile.
import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { describeNamePolicy, type AcmeEabKeyState } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { formatDate, formatDateTime, formatRelative } from '../../../format/dates.ts';
import { ActionButton, type Action } from '../../../kit/actions.tsx';
import { FullList, type FullListColumn } from '../../../kit/full-list.tsx';
import { paths } from '../../../kit/paths.ts';
import { ACME_KEY, eabKeysQuery } from '../../../queries/acme.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { stateOf } from '../../../ui/state.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import type { EabKey, Profile } from '../shapes.ts';
import classes from './key-list.module.css';
import { CreateKeyDialog } from './create-key-dialog.tsx';

export function KeyList({ profile }: { readonly profile: Profile }) {
  const meaning = profile.externalAccountRequired
    ? 'Only clients with a key can register an account in this directory. Provide a key to the operator of each client.'
    : 'This directory does not require a key: any client that can reach it can register an account. You can change this in the settings.';
  const [isCreating, dialog] = useDisclosure();
  const create = <ActionButton action={createKey(profile, dialog.open)} />;
  const list = (
    <FullList
      query={useQuery(eabKeysQuery(profile.uuid))}
      what="external account keys"
      columns={columns(profile.uuid)}
      nameOf={nameOf}
      textOf={({ description = '', keyId, createdBy }) => `${description} ${keyId} ${createdBy}`}
      tools={
        <>
          <Text size="sm" c="dimmed" maw="44rem" flex="1 1 20rem">
            {meaning}{' '}
            <TextLink to={paths.enrollments.over('acme')} inSentence>
              Show rejected registrations
            </TextLink>
          </Text>
          {create}
        </>
      }
      empty={
        <Empty title="No external account keys yet" action={create}>
          A key proves that a client is authorized to register an account. {meaning}
        </Empty>
      }
    />
  );
  // Rendered outside the empty state: the empty state disappears as soon as there is a key, and would take the dialog
  // that shows the key with it.
  return (
    <>
      {list}
      <CreateKeyDialog profile={profile} opened={isCreating} onClose={dialog.close} />
    </>
  );
}

const createKey = (profile: Profile, open: () => void): Action => ({
  label: 'Create key',
  icon: IconKey,
  isPrimary: true,
  needs: ['acmeProfiles', 'update', profile.uuid],
  open,
});

const revokeKey = (uuid: string, key: EabKey): Action => ({
  label: 'Revoke',
  name: `Revoke ${nameOf(key)}`,
  isGrave: true,
  needs: ['acmeProfiles', 'update', uuid],
  run: () => api.acmeEabKeys.revokeAcmeEabKey({ params: { uuid, keyUuid: key.uuid } }),
  done: `${nameOf(key)} is revoked.`,
  refresh: ACME_KEY,
  ask: {
    title: `Revoke ${nameOf(key)}?`,
    keep: 'Keep it',
    children:
      'No more accounts can be registered with this key. This cannot be undone. Existing accounts are not affected; disable or revoke them separately.',
  },
});

const nameOf = ({ description, keyId }: EabKey): string => description ?? keyId;

const columns = (uuid: string): readonly FullListColumn<EabKey>[] => [
  {
    key: 'key',
    title: 'Key',
    by: nameOf,
    cell: ({ description, keyId, namePolicy }) => (
      <>
        <Text size="sm" fw={600}>
          {description ?? 'No description'}
        </Text>
        <span className={classes.id}>{keyId}</span>
        {namePolicy && (
          <Text size="xs" c="dimmed">
            Names: {describeNamePolicy(namePolicy)}
          </Text>
        )}
      </>
    ),
  },
  { key: 'state', title: 'State', by: ({ state }) => state, cell: ({ state }) => <KeyState of={state} /> },
  {
    key: 'accounts',
    title: 'Accounts',
    minor: true,
    by: ({ boundAccounts }) => boundAccounts,
    cell: ({ boundAccounts, reusable }) => (reusable ? `${boundAccounts} (no limit)` : `${boundAccounts} of 1`),
  },
  {
    key: 'expires',
    title: 'Valid until',
    minor: true,
    by: ({ expiresAt = '' }) => expiresAt,
    cell: ({ expiresAt, state }) => {
      if (expiresAt !== undefined) return <span title={formatDateTime(expiresAt)}>{formatDate(expiresAt)}</span>;
      return state === 'revoked' ? '–' : 'no expiry';
    },
  },
  {
    key: 'used',
    title: 'Last used',
    minor: true,
    by: ({ lastUsedAt = '' }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? 'never' : <span title={formatDateTime(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>,
  },
  {
    key: 'made',
    title: 'Created',
    minor: true,
    by: ({ createdAt }) => createdAt,
    cell: ({ createdAt, createdBy }) => `${formatDate(createdAt)} by ${createdBy}`,
  },
  {
    key: 'revoke',
    title: 'Action',
    align: 'right',
    cell: (key) => (key.state === 'revoked' ? null : <ActionButton action={revokeKey(uuid, key)} size="compact-xs" />),
  },
];

/** State of an external account key, which determines whether it can be used to register an account. */
const KeyState = stateOf<AcmeEabKeyState>({
  usable: ['good', 'Usable'],
  used: ['none', 'Used'],
  expired: ['warn', 'Expired'],
  revoked: ['bad', 'Revoked'],
});
