// A profile's accounts. Each client registers an account when it first uses the directory.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../format/names.ts';
import { paths } from '../../../kit/paths.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { FullList, type FullListColumn } from '../../../kit/full-list.tsx';
import { accountsQuery } from '../../../queries/acme.ts';
import type { ListedAccount, Profile } from '../shapes.ts';
import { AccountState, displayStateOf } from './account-state.tsx';

export function AccountList({ profile }: { readonly profile: Profile }) {
  return (
    <FullList
      query={useQuery(accountsQuery(profile.uuid))}
      what="accounts"
      columns={columns(profile.uuid)}
      nameOf={({ accountId }) => accountId}
      textOf={(account) => `${account.accountId} ${displayStateOf(account).word} ${account.raProfile?.name ?? ''}`}
      empty={
        <Empty
          title="No accounts yet"
          action={
            <Button component={Link} to={paths.acme.one(profile.uuid)}>
              Set up a client
            </Button>
          }
        >
          Clients register an account when they first request a certificate here.
        </Empty>
      }
    />
  );
}

const columns = (profileUuid: string): readonly FullListColumn<ListedAccount>[] => [
  {
    key: 'id',
    title: 'Account',
    by: ({ accountId }) => accountId,
    cell: ({ uuid, accountId }) => <ObjectLink to={paths.acme.account(profileUuid, uuid)} name={accountId} />,
  },
  {
    key: 'state',
    title: 'State',
    by: (account) => displayStateOf(account).word,
    cell: (account) => <AccountState account={account} />,
  },
  {
    key: 'orders',
    title: 'Orders',
    align: 'right',
    by: ({ totalOrders }) => totalOrders,
    cell: ({ totalOrders }) => formatCount(totalOrders),
  },
  { key: 'ra-profile', title: 'RA profile', minor: true, cell: ({ raProfile }) => raProfile?.name ?? '–' },
];
