// All RA profiles.
import { Button, Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { WholeList } from '../../ui/whole-list.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { raProfileListQuery } from './queries.ts';
import { RaProfileState } from './state.tsx';

const columns: readonly Column<RaProfileDto>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, description }) => <ObjectLink to={paths.raProfile(uuid)} name={name} detail={description} />,
  },
  { key: 'state', title: 'State', cell: ({ enabled }) => <RaProfileState enabled={enabled} /> },
  {
    key: 'authority',
    title: 'Authority',
    minor: true,
    cell: ({ authorityInstanceUuid: uuid, authorityInstanceName: name }) =>
      uuid === undefined ? (
        <Text size="sm" c="dimmed">
          removed
        </Text>
      ) : (
        <TextLink to={paths.authority(uuid)}>{name}</TextLink>
      ),
  },
  {
    key: 'protocols',
    title: 'Protocols',
    minor: true,
    cell: ({ enabledProtocols = [] }) =>
      enabledProtocols.length === 0 ? (
        <Text size="sm" c="dimmed">
          none of its own
        </Text>
      ) : (
        enabledProtocols.join(', ')
      ),
  },
];

export function RaProfileListPage() {
  const query = useQuery(raProfileListQuery);
  return (
    <Page
      title="RA profiles"
      description="Under which conditions an authority issues: what certificates look like, how long they live, and what requests may ask for."
      actions={
        <Button component={Link} to={paths.newRaProfile} leftSection={<IconPlus size={16} />}>
          New RA profile
        </Button>
      }
    >
      <WholeList
        query={query}
        what="RA profiles"
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        textOf={({ name, description, authorityInstanceName }) => [name, description, authorityInstanceName].join(' ')}
        empty={
          <Empty
            title="No RA profiles yet"
            action={
              <Button component={Link} to={paths.newRaProfile}>
                Make the first one
              </Button>
            }
          >
            Every certificate is issued under one: it says what the authority signs and for whom.
          </Empty>
        }
      />
    </Page>
  );
}
