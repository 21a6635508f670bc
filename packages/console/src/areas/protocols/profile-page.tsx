// Page for a single protocol profile: its URL, and tabs for client commands, requests, one-time secrets and settings.
import { Button, Tabs } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMayList } from '../../api/session.ts';
import { capitalize } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { useMay } from '../../kit/use-may.ts';
import { useNewSearch } from '../../kit/use-list-search.ts';
import type { ProtocolProfile } from '../../queries/protocols.ts';
import { UrlStrip } from '../../ui/url-strip.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnrollmentList } from './enrollments/enrollment-list.tsx';
import { chooseRaProfile, ProfileActions } from './profile-actions.tsx';
import classes from '../acme/profile-page.module.css';
import { PROFILE_TABS, type ProfileSearch, type ProfileTab } from './profile-search.ts';
import { ProfileState, displayStateOf } from './profile-state.tsx';
import type { Protocol } from './protocol.ts';
import { SecretList } from './secrets/secret-list.tsx';
import type { SecretStep, TryClient } from './try-it/client.ts';
import { TryIt } from './try-it/try-it.tsx';

export interface ProfilePageProps<Profile extends ProtocolProfile> {
  readonly protocol: Protocol;
  readonly query: UseQueryResult<Profile>;
  readonly clients: (profile: Profile) => readonly [TryClient, ...TryClient[]];
  /** Returns the step for the secret that the profile requires, if any. */
  readonly secretStep: (profile: Profile) => SecretStep | undefined;
  readonly takesOneTime: (profile: Profile) => boolean;
  readonly settings: (profile: Profile) => ReactNode;
}

export function ProfilePage<Profile extends ProtocolProfile>(props: ProfilePageProps<Profile>) {
  const { protocol, query } = props;
  const { label, paths } = protocol;
  return (
    <QueryView of={query} what={`the ${label} profile`}>
      {(profile) => (
        <Page
          title={profile.name}
          mark={<ProfileState profile={profile} />}
          description={profile.description}
          parent={{ to: paths.list, label }}
          actions={<ProfileActions protocol={protocol} profile={profile} />}
        >
          <div className={classes.page}>
            <UrlStrip
              label={`${label} address`}
              url={profile.url}
              none="None: no RA profile selected"
              remedy={<ActionButton action={chooseRaProfile(protocol, profile.uuid)} />}
              why={displayStateOf(profile).why}
            />
            <ProfileContent {...props} profile={profile} />
          </div>
        </Page>
      )}
    </QueryView>
  );
}

function ProfileContent<Profile extends ProtocolProfile>(
  props: ProfilePageProps<Profile> & { readonly profile: Profile },
) {
  const { protocol, profile, clients, secretStep, takesOneTime, settings } = props;
  const search: ProfileSearch = useSearch({ strict: false });
  const { tab = 'clients', client } = search;
  const open = useNewSearch<ProfileSearch>();
  const openTab = (wanted: string | null): void => {
    const next = PROFILE_TABS.find((each) => each === wanted);
    const opened = next && next !== 'clients' ? { tab: next } : {};
    open({ ...opened, ...(client === undefined ? {} : { client }) }, { replace: true });
  };
  return (
    <Tabs value={tab} onChange={openTab}>
      <TabList protocol={protocol} profile={profile} open={tab} />
      <Tabs.Panel value={tab}>
        {tab === 'clients' && (
          <TryIt
            protocol={protocol}
            profile={profile}
            clients={clients(profile)}
            secretStep={secretStep(profile)}
            client={client}
            onClient={(id) => open({ client: id }, { replace: true })}
          />
        )}
        {tab === 'requests' && (
          <EnrollmentList
            profileUuid={profile.uuid}
            search={search}
            empty={<NoRequests to={protocol.paths.one(profile.uuid)} />}
          />
        )}
        {tab === 'secrets' && <Secrets protocol={protocol} profile={profile} isTaken={takesOneTime(profile)} />}
        {tab === 'settings' && settings(profile)}
      </Tabs.Panel>
    </Tabs>
  );
}

function TabList(props: { readonly protocol: Protocol; readonly profile: ProtocolProfile; readonly open: ProfileTab }) {
  const { protocol, profile, open } = props;
  const mayList = useMayList();
  const may = useMay();
  const labels: Readonly<Record<ProfileTab, string>> = {
    clients: 'Try it',
    requests: 'Requests',
    secrets: `${capitalize(protocol.secret)}s`,
    settings: 'Settings',
  };
  const isOffered: Readonly<Record<ProfileTab, boolean>> = {
    clients: true,
    requests: mayList('raProfiles'),
    secrets: profile.raProfile === undefined || may(['raProfiles', 'detail', profile.raProfile.uuid]),
    settings: true,
  };
  // A tab that the user is not permitted to open is hidden, unless it was opened by URL: the tab then names the missing
  // permission.
  return (
    <Tabs.List className={classes.tabs} mb="lg">
      {PROFILE_TABS.filter((each) => each === open || isOffered[each]).map((each) => (
        <Tabs.Tab key={each} value={each}>
          {labels[each]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

interface SecretsProps {
  readonly protocol: Protocol;
  readonly profile: ProtocolProfile;
  readonly isTaken: boolean;
}

function Secrets({ protocol, profile: { uuid, raProfile }, isTaken }: SecretsProps) {
  if (raProfile) return <SecretList raProfile={raProfile} protocol={protocol.id} isTaken={isTaken} />;
  return (
    <Panel>
      <Empty title="No RA profile yet" action={<ActionButton action={chooseRaProfile(protocol, uuid)} />}>
        A {protocol.secret} is valid for one request under an RA profile.
      </Empty>
    </Panel>
  );
}

function NoRequests({ to }: { readonly to: string }) {
  return (
    <Empty
      title="No requests yet"
      action={
        <Button component={Link} to={to}>
          Try it
        </Button>
      }
    >
      Client requests appear here, with the reason for each rejection. Completed requests are kept for a few weeks.
    </Empty>
  );
}
