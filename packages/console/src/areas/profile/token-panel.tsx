// A user's access tokens, with their permissions, last use and expiry.
import type { AccessToken } from '@signetry/contract';
import { Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDate, formatDateTime, formatRelative } from '../../format/dates.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import type { Needs } from '../../kit/rights.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import classes from './profile.module.css';

export interface TokenPanelProps {
  readonly query: QueryLike<readonly AccessToken[]>;
  readonly revoke: (uuid: string) => Promise<unknown>;
  readonly refresh: QueryKey;
  /** Permission required to revoke a token; absent for the user's own tokens. */
  readonly needs?: Needs;
  readonly actions?: ReactNode;
  readonly empty: string;
}

export function TokenPanel({ query, actions, empty, ...props }: TokenPanelProps) {
  return (
    <Panel title="Access tokens" actions={actions} flush>
      <QueryView
        of={query}
        what="the access tokens"
        empty={
          <Text c="dimmed" className={classes.none}>
            {empty}
          </Text>
        }
      >
        {(tokens) => (
          <Table
            label="Access tokens"
            columns={columns(props)}
            rows={tokens}
            keyOf={({ uuid }) => uuid}
            nameOf={({ name }) => name}
          />
        )}
      </QueryView>
    </Panel>
  );
}

const columns = (revoking: Omit<TokenPanelProps, 'query' | 'actions' | 'empty'>): readonly Column<AccessToken>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: ({ name, scope, madeWith }) => (
      <>
        <Text size="sm" fw={600} className={classes.name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {describeScope(scope)}
          {madeWith && `; created with ${madeWith.name}`}
        </Text>
      </>
    ),
  },
  {
    key: 'used',
    title: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? 'never' : <span title={formatDateTime(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>,
  },
  { key: 'expires', title: 'Valid until', minor: true, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    key: 'created',
    title: 'Created',
    minor: true,
    cell: ({ createdAt }) => <span className={classes.date}>{formatDate(createdAt)}</span>,
  },
  {
    key: 'revoke',
    title: 'Action',
    align: 'right',
    cell: (token) => <ActionButton size="compact-xs" action={revokeAction(token, revoking)} />,
  },
];

function Expiry({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return 'no expiry';
  if (Date.parse(at) <= Date.now()) return <State tone="bad">Expired</State>;
  return (
    <span className={classes.date} title={formatDateTime(at)}>
      {formatDate(at)}
    </span>
  );
}

function describeScope(scope: AccessToken['scope']): string {
  if (!scope) return 'All permissions of its user';
  return scope.role ? `Only those of the role ${scope.role.name}` : 'Some permissions of its user';
}

const revokeAction = (
  { uuid, name }: AccessToken,
  { revoke, refresh, needs }: Omit<TokenPanelProps, 'query' | 'actions' | 'empty'>,
): Action => ({
  label: 'Revoke',
  name: `Revoke ${name}`,
  isGrave: true,
  ...(needs && { needs }),
  run: () => revoke(uuid),
  done: `${name} is revoked.`,
  refresh,
  ask: {
    title: `Revoke ${name}?`,
    keep: 'Keep it',
    children:
      'Clients that use it are rejected immediately, as are clients that use tokens created with it. This cannot be undone.',
  },
});
