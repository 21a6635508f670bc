// One ACME profile: the URL that clients need first, then how they use it, who came, who may come, and the rules.
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { AccountList } from './accounts/account-list.tsx';
import { GetCertificate } from './clients/get-certificate.tsx';
import { Directory } from './directory.tsx';
import { KeyList } from './eab-keys/key-list.tsx';
import { ProfileActions } from './profile-actions.tsx';
import classes from './profile-page.module.css';
import { PROFILE_TABS, type ProfileSearch, type ProfileTab } from './profile-search.ts';
import { ProfileState } from './profile-state.tsx';
import { profileQuery } from './queries.ts';
import { SettingsView } from './settings/settings-view.tsx';

const route = getRouteApi('/acme/$uuid');

const labels: Readonly<Record<ProfileTab, string>> = {
  clients: 'Get a certificate',
  accounts: 'Accounts',
  keys: 'External account keys',
  settings: 'Settings',
};

export function AcmeProfilePage() {
  const { uuid } = route.useParams();
  const { tab = 'clients', client } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: profile, error, refetch } = useQuery(profileQuery(uuid));
  if (!profile)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the ACME profile" />;

  const open = (next: ProfileSearch): void =>
    void navigate({ search: (now: ProfileSearch) => ({ ...now, ...next }), replace: true, resetScroll: false });
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
        <Tabs value={tab} onChange={(value) => open({ tab: PROFILE_TABS.find((each) => each === value) })}>
          <Tabs.List className={classes.tabs} mb="lg">
            {PROFILE_TABS.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {labels[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            {tab === 'clients' && (
              <GetCertificate profile={profile} client={client} onClient={(id) => open({ client: id })} />
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
