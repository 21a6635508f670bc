// All ACME profiles. Each one is a separate directory.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { ShortUrl } from '../../ui/short-url.tsx';
import { switchProfile } from './profile-actions.tsx';
import { ProfileState, displayStateOf } from './profile-state.tsx';
import { profileListQuery } from '../../queries/acme.ts';
import type { ListedProfile } from './shapes.ts';

const columns: readonly FullListColumn<ListedProfile>[] = [
  nameColumn(paths.acme, ({ description }) => description),
  {
    key: 'state',
    title: 'State',
    by: (profile) => displayStateOf(profile).word,
    cell: (profile) => <ProfileState profile={profile} />,
  },
  textColumn('ra-profile', 'RA profile', ({ raProfile }) => raProfile?.name),
  {
    key: 'url',
    title: 'Directory URL',
    minor: true,
    cell: ({ directoryUrl }) =>
      directoryUrl === undefined ? (
        <Text size="sm" c="dimmed">
          no RA profile
        </Text>
      ) : (
        <ShortUrl url={directoryUrl} what="directory URL" />
      ),
  },
  {
    key: 'switch',
    title: 'Action',
    align: 'right',
    minor: true,
    cell: (profile) => <ActionButton action={switchProfile(profile)} size="compact-xs" />,
  },
];

export function AcmeListPage() {
  return (
    <ObjectListPage
      title="ACME"
      description="ACME lets servers obtain and renew certificates automatically. Each profile has its own directory URL, rules and accounts."
      paths={paths.acme}
      create={{ label: 'New ACME profile', needs: ['acmeProfiles', 'create'] }}
      query={useQuery(profileListQuery)}
      what="ACME profiles"
      columns={columns}
      textOf={({ name, description = '', raProfile }) => `${name} ${description} ${raProfile?.name ?? ''}`}
      empty={{
        title: 'No ACME profiles yet',
        text: 'An ACME profile determines the RA profile that certificates are issued under, and who can request them. Certbot, Caddy, cert-manager and other clients do the rest.',
      }}
    />
  );
}
