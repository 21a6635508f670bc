// The ACME profiles: each is a directory of its own that clients are pointed at.
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Copy } from '../../ui/copy.tsx';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { WholeList } from '../../ui/whole-list.tsx';
import { EnableButton } from './enable-button.tsx';
import classes from './list-page.module.css';
import { ProfileState } from './profile-state.tsx';
import { profileListQuery } from './queries.ts';
import type { ListedProfile } from './shapes.ts';

const columns: readonly Column<ListedProfile>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, description }) => <ObjectLink to={paths.acmeProfile(uuid)} name={name} detail={description} />,
  },
  { key: 'state', title: 'State', cell: (profile) => <ProfileState profile={profile} /> },
  { key: 'ra-profile', title: 'Issues under', minor: true, cell: ({ raProfile }) => raProfile?.name ?? '–' },
  {
    key: 'url',
    title: 'Directory URL',
    minor: true,
    cell: ({ directoryUrl }) =>
      directoryUrl === undefined ? (
        <Text size="sm" c="dimmed">
          none without an RA profile
        </Text>
      ) : (
        <span className={classes.url}>
          <code title={directoryUrl}>{directoryUrl}</code>
          <Copy text={directoryUrl} what="directory URL" />
        </span>
      ),
  },
  {
    key: 'switch',
    title: 'Action',
    align: 'right',
    minor: true,
    cell: (profile) => <EnableButton profile={profile} compact />,
  },
];

export function AcmeListPage() {
  const profiles = useQuery(profileListQuery);
  const create = (
    <Button component={Link} to={paths.newAcmeProfile} leftSection={<IconPlus size={16} aria-hidden="true" />}>
      New ACME profile
    </Button>
  );
  return (
    <Page
      title="ACME"
      description="With ACME servers get and renew their certificates themselves. Each profile is a directory URL that clients are pointed at, with rules and accounts of its own."
      actions={create}
    >
      <WholeList
        query={profiles}
        what="ACME profiles"
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        textOf={({ name, description = '', raProfile }) => `${name} ${description} ${raProfile?.name ?? ''}`}
        empty={
          <Empty title="No ACME profiles yet" action={create}>
            A profile says which RA profile certificates are issued under and who may ask. After that certbot, Caddy,
            cert-manager and others get theirs without anybody’s help.
          </Empty>
        }
      />
    </Page>
  );
}
