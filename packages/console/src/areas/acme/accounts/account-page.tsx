// One account: whose it is, what it ordered, and the ways to stop it.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMayList } from '../../../api/session.ts';
import { formatCount } from '../../../format/names.ts';
import { paths } from '../../../paths.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Empty, Failure, Loading } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { OrderList } from '../orders/order-list.tsx';
import { accountQuery } from '../queries.ts';
import type { Account } from '../shapes.ts';
import { AccountActions } from './account-actions.tsx';
import classes from './account-page.module.css';
import { AccountState, accountVerdict } from './account-state.tsx';

const route = getRouteApi('/acme/$uuid/accounts/$accountUuid');

export function AcmeAccountPage() {
  const { uuid, accountUuid } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayList = useMayList();
  const { data: account, error, refetch } = useQuery(accountQuery(uuid, accountUuid));
  if (!account) return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the account" />;
  return (
    <Page
      title={account.contact[0]?.replace(/^mailto:/, '') ?? account.accountId}
      mark={<AccountState account={account} />}
      description={accountVerdict(account).meaning}
      parent={{ to: paths.acmeProfile(uuid, 'accounts'), label: `Accounts of ${account.acmeProfileName ?? 'ACME'}` }}
      actions={<AccountActions profileUuid={uuid} account={account} />}
    >
      <Stack gap="lg">
        <Panel title="Account">
          <Facts
            facts={[
              { name: 'Account ID', value: account.accountId, code: true, copy: account.accountId },
              {
                name: 'Contact',
                value:
                  account.contact.length === 0
                    ? 'none given'
                    : account.contact.map((each) => each.replace(/^mailto:/, '')).join('\n'),
              },
              { name: 'Terms of service', value: account.termsOfServiceAgreed ? 'agreed' : 'not agreed' },
              {
                name: 'Issues under',
                value: account.raProfile && (
                  <TextLink to={paths.raProfile(account.raProfile.uuid)}>{account.raProfile.name}</TextLink>
                ),
              },
              {
                name: 'External account key',
                value: account.externalAccountKeyId ?? 'made without one',
                code: account.externalAccountKeyId !== undefined,
              },
            ]}
          />
        </Panel>
        {account.totalOrders > 0 && (
          <Panel title="Orders">
            <OrderCounts account={account} />
          </Panel>
        )}
        {mayList('acmeAccounts') && (
          <OrderList
            profileUuid={uuid}
            accountUuid={accountUuid}
            search={search}
            onSearch={(next) => void navigate({ search: next, resetScroll: false })}
            empty={
              <Empty title="No orders yet">
                The client made the account and did not ask for a certificate since, or that was long ago: orders are
                kept for some weeks after their end.
              </Empty>
            }
          />
        )}
      </Stack>
    </Page>
  );
}

function OrderCounts({ account }: { readonly account: Account }) {
  const counts = [
    { label: 'in all', count: account.totalOrders },
    { label: 'ended with a certificate', count: account.successfulOrders },
    { label: 'wait for the client', count: account.pendingOrders },
    { label: 'being issued', count: account.processingOrders },
    { label: 'failed', count: account.failedOrders, isBad: account.failedOrders > 0 },
  ];
  return (
    <dl className={classes.counts}>
      {counts.map(({ label, count, isBad }) => (
        <div key={label} className={classes.count}>
          <dt>{label}</dt>
          <dd data-bad={isBad || undefined}>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
