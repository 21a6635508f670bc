// One ACME profile: the URL that clients need first, then how they use it, what they ordered, who came, who may come, and the rules.
import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { AccountList } from './accounts/account-list.tsx';
import { GetCertificate } from './clients/get-certificate.tsx';
import { Directory } from './directory.tsx';
import { KeyList } from './eab-keys/key-list.tsx';
import { OrderList } from './orders/order-list.tsx';
import type { OrderSearch } from './orders/order-search.ts';
import { ProfileActions } from './profile-actions.tsx';
import classes from './profile-page.module.css';
import { PROFILE_TABS, type ProfileSearch } from './profile-search.ts';
import { ProfileState } from './profile-state.tsx';
import { ProfileTabs } from './profile-tabs.tsx';
import { profileQuery } from './queries.ts';
import { SettingsView } from './settings/settings-view.tsx';

const route = getRouteApi('/acme/$uuid');

export function AcmeProfilePage() {
  const { uuid } = route.useParams();
  const search = route.useSearch();
  const { tab = 'clients', client } = search;
  const navigate = route.useNavigate();
  const { data: profile, error, refetch } = useQuery(profileQuery(uuid));
  if (!profile)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the ACME profile" />;

  const open = (next: ProfileSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  const openTab = (wanted: string | null): void => {
    const next = PROFILE_TABS.find((each) => each === wanted);
    open({ ...(next && next !== 'clients' ? { tab: next } : {}), ...(client === undefined ? {} : { client }) });
  };
  /** Each list of orders is a place of its own, which "back" returns to. */
  const list = (next: OrderSearch): void => void navigate({ search: { tab: 'orders', ...next }, resetScroll: false });
  return (
    <Page
      title={profile.name}
      mark={<ProfileState profile={profile} />}
      description={profile.description}
      parent={{ to: paths.acme, label: 'ACME' }}
      actions={<ProfileActions profile={profile} />}
    >
      <div className={classes.page}>
        <Directory profile={profile} />
        <Tabs value={tab} onChange={openTab}>
          <ProfileTabs open={tab} />
          <Tabs.Panel value={tab}>
            {tab === 'clients' && (
              <GetCertificate profile={profile} client={client} onClient={(id) => open({ client: id })} />
            )}
            {tab === 'orders' && (
              <OrderList profileUuid={uuid} search={search} onSearch={list} empty={<NoOrders uuid={uuid} />} />
            )}
            {tab === 'accounts' && <AccountList profile={profile} />}
            {tab === 'keys' && <KeyList profile={profile} />}
            {tab === 'settings' && <SettingsView profile={profile} />}
          </Tabs.Panel>
        </Tabs>
      </div>
    </Page>
  );
}

function NoOrders({ uuid }: { readonly uuid: string }) {
  return (
    <Empty
      title="No orders yet"
      action={
        <Button component={Link} to={paths.acmeProfile(uuid)}>
          Set up a client
        </Button>
      }
    >
      What clients ask for stands here, and when it fails, why. Orders are kept for some weeks after their end.
    </Empty>
  );
}
