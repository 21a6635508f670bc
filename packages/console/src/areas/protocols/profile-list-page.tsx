// All profiles of a protocol. Each one has its own URL.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import type { ProtocolProfile } from '../../queries/protocols.ts';
import { ShortUrl } from '../../ui/short-url.tsx';
import { switchProfile } from './profile-actions.tsx';
import { ProfileState, displayStateOf } from './profile-state.tsx';
import type { Protocol } from './protocol.ts';

export function ProfileListPage({ protocol }: { readonly protocol: Protocol }) {
  const { label, rights } = protocol;
  return (
    <ObjectListPage
      title={label}
      description={protocol.description}
      paths={protocol.paths}
      create={{ label: `New ${label} profile`, needs: rights.create }}
      otherActions={
        <ActionButton
          action={{
            label: 'Enrollment requests',
            needs: ['raProfiles', 'list'],
            to: paths.enrollments.over(protocol.id),
          }}
        />
      }
      query={useQuery(protocol.listQuery)}
      what={`${label} profiles`}
      columns={columnsOf(protocol)}
      textOf={({ name, description = '', raProfile }) => `${name} ${description} ${raProfile?.name ?? ''}`}
      empty={{ title: `No ${label} profiles yet`, text: protocol.emptyText }}
    />
  );
}

const columnsOf = (protocol: Protocol): readonly FullListColumn<ProtocolProfile>[] => [
  nameColumn(protocol.paths, ({ description }) => description),
  {
    key: 'state',
    title: 'State',
    by: (profile) => displayStateOf(profile).word,
    cell: (profile) => <ProfileState profile={profile} />,
  },
  textColumn('ra-profile', 'RA profile', ({ raProfile }) => raProfile?.name),
  {
    key: 'url',
    title: 'URL',
    minor: true,
    cell: ({ url }) =>
      url === undefined ? (
        <Text size="sm" c="dimmed">
          no RA profile
        </Text>
      ) : (
        <ShortUrl url={url} what="address" />
      ),
  },
  {
    key: 'switch',
    title: 'Action',
    align: 'right',
    minor: true,
    cell: (profile) => <ActionButton action={switchProfile(protocol, profile)} size="compact-xs" />,
  },
];
