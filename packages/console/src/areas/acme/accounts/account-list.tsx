// Who came: each client makes an account of its own when it first uses the directory.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../format/names.ts';
import { paths } from '../../../paths.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import type { Column } from '../../../ui/table.tsx';
import { WholeList } from '../../../ui/whole-list.tsx';
import { accountsQuery } from '../queries.ts';
import type { ListedAccount, Profile } from '../shapes.ts';
import { AccountState, accountVerdict } from './account-state.tsx';

export function AccountList({ profile }: { readonly profile: Profile }) {
  return (
    <WholeList
      query={useQuery(accountsQuery(profile.uuid))}
      what="accounts"
      columns={columns(profile.uuid)}
      keyOf={({ uuid }) => uuid}
      nameOf={({ accountId }) => accountId}
      textOf={(account) => `${account.accountId} ${accountVerdict(account).word} ${account.raProfile?.name ?? ''}`}
      empty={
        <Empty
          title="No accounts yet"
          action={
            <Button component={Link} to={paths.acmeProfile(profile.uuid)}>
              Set up a client
            </Button>
          }
        >
          A client makes its account by itself when it first asks for a certificate here.
        </Empty>
      }
    />
  );
}

const columns = (profileUuid: string): readonly Column<ListedAccount>[] => [
  {
    key: 'id',
    title: 'Account',
    cell: ({ uuid, accountId }) => <ObjectLink to={paths.acmeAccount(profileUuid, uuid)} name={accountId} />,
  },
  { key: 'state', title: 'State', cell: (account) => <AccountState account={account} /> },
  { key: 'orders', title: 'Orders', align: 'right', cell: ({ totalOrders }) => formatCount(totalOrders) },
  { key: 'ra-profile', title: 'Issues under', minor: true, cell: ({ raProfile }) => raProfile?.name ?? '–' },
];
