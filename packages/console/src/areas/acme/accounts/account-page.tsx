// Page for a single account: its contact, its orders, and the actions to disable or revoke it.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { IconBan } from '@tabler/icons-react';
import { useMayList } from '../../../api/session.ts';
import { formatCount } from '../../../format/names.ts';
import { paths } from '../../../kit/paths.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import { useUuid } from '../../../kit/routes.ts';
import { Facts, type Fact } from '../../../ui/facts.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { accountQuery, ACME_KEY } from '../../../queries/acme.ts';
import type { OrderSearch } from '../../../queries/order-search.ts';
import { api } from '../../../api/client.ts';
import { Actions } from '../../../kit/actions.tsx';
import { switchAction } from '../../../kit/common-actions.tsx';
import { OrderList } from '../orders/order-list.tsx';
import type { Account } from '../shapes.ts';
import classes from './account-page.module.css';
import { AccountState, displayStateOf } from './account-state.tsx';

export function AcmeAccountPage() {
  const uuid = useUuid();
  const { accountUuid = '' }: { readonly accountUuid?: string } = useParams({ strict: false });
  const search: OrderSearch = useSearch({ strict: false });
  const mayList = useMayList();
  const account = useQuery(accountQuery(uuid, accountUuid));
  return (
    <QueryView of={account} what="the account">
      {(account) => (
        <Page
          title={contactsOf(account)[0] ?? account.accountId}
          mark={<AccountState account={account} />}
          description={displayStateOf(account).meaning}
          parent={{ to: paths.acme.tab(uuid, 'accounts'), label: `Accounts of ${account.acmeProfileName ?? 'ACME'}` }}
          actions={<AccountActions profileUuid={uuid} account={account} />}
        >
          <Stack gap="lg">
            <Panel title="Account">
              <Facts facts={accountFacts(account)} />
            </Panel>
            {account.totalOrders > 0 && (
              <Panel title="Orders">
                <OrderCounts account={account} />
              </Panel>
            )}
            {mayList('acmeAccounts') && (
              <OrderList profileUuid={uuid} accountUuid={accountUuid} search={search} empty={<NoOrders />} />
            )}
          </Stack>
        </Page>
      )}
    </QueryView>
  );
}

const contactsOf = ({ contact }: Account): readonly string[] => contact.map((each) => each.replace(/^mailto:/, ''));

const accountFacts = (account: Account): readonly Fact[] => [
  { name: 'Account ID', value: account.accountId, code: true, copy: account.accountId },
  { name: 'Contact', value: contactsOf(account).join('\n') || 'none' },
  { name: 'Terms of service', value: account.termsOfServiceAgreed ? 'agreed' : 'not agreed' },
  {
    name: 'RA profile',
    value: account.raProfile && (
      <TextLink to={paths.raProfiles.one(account.raProfile.uuid)}>{account.raProfile.name}</TextLink>
    ),
  },
  {
    name: 'External account key',
    value: account.externalAccountKeyId ?? 'none',
    code: account.externalAccountKeyId !== undefined,
  },
];

function NoOrders() {
  return (
    <Empty title="No orders yet">
      The client has not ordered a certificate yet, or its orders are no longer stored: finished orders are kept for a
      few weeks.
    </Empty>
  );
}

function OrderCounts({ account }: { readonly account: Account }) {
  const counts = [
    { label: 'total', count: account.totalOrders },
    { label: 'issued', count: account.successfulOrders },
    { label: 'waiting for the client', count: account.pendingOrders },
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

/** Disables or revokes an account. Certificates issued to the account are not affected. */
function AccountActions({ profileUuid, account }: { readonly profileUuid: string; readonly account: Account }) {
  const input = { params: { acmeProfileUuid: profileUuid, acmeAccountUuid: account.uuid } };
  const name = `account ${account.accountId}`;
  // Revoked and deactivated are final states.
  if (account.status !== 'valid') return null;
  return (
    <Actions
      actions={[
        switchAction({
          name,
          enabled: account.enabled,
          needs: ['acmeAccounts', 'enable', account.uuid],
          enable: () => api.acmeAccounts.enableAcmeAccount(input),
          disable: () => api.acmeAccounts.disableAcmeAccount(input),
          consequence: 'Client requests, including renewals, are rejected until the account is enabled again.',
          refresh: ACME_KEY,
        }),
        {
          label: 'Revoke',
          icon: IconBan,
          isGrave: true,
          needs: ['acmeAccounts', 'revoke', account.uuid],
          run: () => api.acmeAccounts.revokeAcmeAccount(input),
          done: 'The account is revoked.',
          refresh: ACME_KEY,
          ask: {
            title: `Revoke ${name}?`,
            keep: 'Keep it',
            children: `Its open orders fail and its authorizations become invalid. Its certificates stay valid; revoke them in the inventory if necessary. This cannot be undone, but the client can register a new account${account.externalAccountKeyId === undefined ? '.' : ' if it gets another external account key.'}`,
          },
        },
      ]}
    />
  );
}
