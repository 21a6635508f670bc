// Keys that were handed out for new accounts, and what became of them.
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { formatDate, formatDateTime, formatRelative } from '../../../format/dates.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Empty, Failure, Loading } from '../../../ui/outcomes.tsx';
import { Paged } from '../../../ui/paged.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Table, type Column } from '../../../ui/table.tsx';
import { eabKeysQuery, useRefreshAcme } from '../queries.ts';
import type { EabKey, Profile } from '../shapes.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyState } from './key-state.tsx';
import classes from './key-list.module.css';

export function KeyList({ profile }: { readonly profile: Profile }) {
  const { data, error, refetch } = useQuery(eabKeysQuery(profile.uuid));
  const [creating, creation] = useDisclosure();
  const [revoking, setRevoking] = useState<EabKey>();
  const refresh = useRefreshAcme();
  const create = (
    <Button leftSection={<IconKey size={16} aria-hidden="true" />} onClick={creation.open}>
      Create a key
    </Button>
  );
  const meaning = profile.externalAccountRequired
    ? 'This directory makes accounts only for those who have one. Hand it to whoever runs the client.'
    : 'This directory does not ask for one: whoever reaches it can make an account. The settings can change that.';
  const revoke = async (key: EabKey): Promise<void> => {
    await api.acmeEabKeys.revokeAcmeEabKey({ params: { uuid: profile.uuid, keyUuid: key.uuid } });
    await refresh();
    notify.done(`${nameOf(key)} is revoked.`);
  };
  return (
    <Panel flush>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading what="keys" />
      ) : data.length === 0 ? (
        <Empty title="No external account keys yet" action={create}>
          With a key a client proves, when it makes its account, that you let it in. {meaning}
        </Empty>
      ) : (
        <>
          <div className={classes.tools}>
            <Text size="sm" c="dimmed" maw="44rem">
              {meaning}
            </Text>
            {create}
          </div>
          <Paged rows={data}>
            {(shown) => (
              <Table
                label="External account keys"
                columns={columns(setRevoking)}
                rows={shown}
                keyOf={({ uuid }) => uuid}
                nameOf={nameOf}
              />
            )}
          </Paged>
        </>
      )}
      <CreateKeyDialog profile={profile} opened={creating} onClose={creation.close} />
      <Confirm
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking ? nameOf(revoking) : 'the key'}?`}
        verb="Revoke"
        keep="Keep it"
        grave
        action={async () => revoking && revoke(revoking)}
      >
        No account can be made with it any more. This cannot be undone. Accounts that were made with it stay; disable or
        revoke them for themselves.
      </Confirm>
    </Panel>
  );
}

const nameOf = ({ description, keyId }: EabKey): string => description ?? keyId;

const columns = (onRevoke: (key: EabKey) => void): readonly Column<EabKey>[] => [
  {
    key: 'key',
    title: 'Key',
    cell: ({ description, keyId }) => (
      <>
        <Text size="sm" fw={600}>
          {description ?? 'No description'}
        </Text>
        <span className={classes.id}>{keyId}</span>
      </>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <KeyState state={state} /> },
  {
    key: 'accounts',
    title: 'Accounts',
    minor: true,
    cell: ({ boundAccounts, reusable }) => (reusable ? `${boundAccounts} of any number` : `${boundAccounts} of 1`),
  },
  {
    key: 'expires',
    title: 'Can be used until',
    minor: true,
    cell: ({ expiresAt, state }) => {
      if (expiresAt !== undefined) return <span title={formatDateTime(expiresAt)}>{formatDate(expiresAt)}</span>;
      return state === 'revoked' ? '–' : 'it is revoked';
    },
  },
  {
    key: 'used',
    title: 'Last used',
    minor: true,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? 'never' : <span title={formatDateTime(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>,
  },
  {
    key: 'made',
    title: 'Made',
    minor: true,
    cell: ({ createdAt, createdBy }) => `${formatDate(createdAt)} by ${createdBy}`,
  },
  {
    key: 'revoke',
    title: 'Action',
    align: 'right',
    cell: (key) =>
      key.state === 'revoked' ? null : (
        <Button
          variant="default"
          size="compact-xs"
          c="var(--bad)"
          aria-label={`Revoke ${nameOf(key)}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      ),
  },
];
