// Page for a single ACME profile: its directory URL, and tabs for client instructions, orders, accounts, external
// account keys and settings.
import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { useNewSearch } from '../../kit/use-list-search.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { profileQuery } from '../../queries/acme.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { UrlStrip } from '../../ui/url-strip.tsx';
import { useMayList } from '../../api/session.ts';
import classes from './profile-page.module.css';
import { AccountList } from './accounts/account-list.tsx';
import { GetCertificate } from './clients/get-certificate.tsx';
import { KeyList } from './eab-keys/key-list.tsx';
import { OrderList } from './orders/order-list.tsx';
import { chooseRaProfile, ProfileActions } from './profile-actions.tsx';
import { PROFILE_TABS, type ProfileSearch, type ProfileTab } from './profile-search.ts';
import { ProfileState, displayStateOf } from './profile-state.tsx';
import { SettingsView } from './settings/settings-view.tsx';
import type { Profile } from './shapes.ts';

export function AcmeProfilePage() {
  const profile = useQuery(profileQuery(useUuid()));
  return (
    <QueryView of={profile} what="the ACME profile">
      {(profile) => (
        <Page
          title={profile.name}
          mark={<ProfileState profile={profile} />}
          description={profile.description}
          parent={{ to: paths.acme.list, label: 'ACME' }}
          actions={<ProfileActions profile={profile} />}
        >
          <div className={classes.page}>
            <Directory profile={profile} />
            <ProfileContent profile={profile} />
          </div>
        </Page>
      )}
    </QueryView>
  );
}

function ProfileContent({ profile }: { readonly profile: Profile }) {
  const search: ProfileSearch = useSearch({ strict: false });
  const { tab = 'clients', client } = search;
  const open = useNewSearch<ProfileSearch>();
  const openTab = (wanted: string | null): void => {
    const next = PROFILE_TABS.find((each) => each === wanted);
    const opened = next && next !== 'clients' ? { tab: next } : {};
    open({ ...opened, ...(client === undefined ? {} : { client }) }, { replace: true });
  };
  const { uuid } = profile;
  return (
    <Tabs value={tab} onChange={openTab}>
      <ProfileTabs open={tab} />
      <Tabs.Panel value={tab}>
        {tab === 'clients' && (
          <GetCertificate
            profile={profile}
            client={client}
            onClient={(id) => open({ client: id }, { replace: true })}
          />
        )}
        {tab === 'orders' && <OrderList profileUuid={uuid} search={search} empty={<NoOrders uuid={uuid} />} />}
        {tab === 'accounts' && <AccountList profile={profile} />}
        {tab === 'keys' && <KeyList profile={profile} />}
        {tab === 'settings' && <SettingsView profile={profile} />}
      </Tabs.Panel>
    </Tabs>
  );
}

function NoOrders({ uuid }: { readonly uuid: string }) {
  return (
    <Empty
      title="No orders yet"
      action={
        <Button component={Link} to={paths.acme.one(uuid)}>
          Set up a client
        </Button>
      }
    >
      Client orders appear here, with the reason if one fails. Finished orders are kept for a few weeks.
    </Empty>
  );
}

/** Shows the directory URL, which every client needs, and whether the directory can be used. */
function Directory({ profile }: { readonly profile: Profile }) {
  return (
    <UrlStrip
      label="Directory URL"
      url={profile.directoryUrl}
      none="None: no RA profile selected"
      remedy={<ActionButton action={chooseRaProfile(profile.uuid)} />}
      why={displayStateOf(profile).why}
    />
  );
}

/** The profile's tabs. On narrow screens, they scroll to keep the open tab visible. */
const labels: Readonly<Record<ProfileTab, string>> = {
  clients: 'Get a certificate',
  orders: 'Orders',
  accounts: 'Accounts',
  keys: 'External account keys',
  settings: 'Settings',
};

const ofAccounts: ReadonlySet<ProfileTab> = new Set(['orders', 'accounts']);

function ProfileTabs({ open }: { readonly open: ProfileTab }) {
  const list = useRef<HTMLDivElement>(null);
  const mayList = useMayList();
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!list.current || !chosen) return;
    list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2;
  }, [open]);
  // A tab that the user is not permitted to open is hidden, unless it was opened by URL: the tab then names the missing
  // permission.
  const shown = PROFILE_TABS.filter((each) => each === open || !ofAccounts.has(each) || mayList('acmeAccounts'));
  return (
    <Tabs.List ref={list} className={classes.tabs} mb="lg">
      {shown.map((each) => (
        <Tabs.Tab key={each} value={each}>
          {labels[each]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
