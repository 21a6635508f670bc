// All RA profiles.
import { Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const none = (text: string) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);

const columns: readonly WholeColumn<RaProfileDto>[] = [
  {
    key: 'name',
    title: 'Name',
    by: ({ name }) => name,
    cell: ({ uuid, name, description }) => (
      <ObjectLink to={paths.raProfiles.one(uuid)} name={name} detail={description} />
    ),
  },
  {
    key: 'state',
    title: 'State',
    by: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
    cell: ({ enabled }) => <EnabledState enabled={enabled} />,
  },
  {
    key: 'authority',
    title: 'Authority',
    minor: true,
    by: ({ authorityInstanceName }) => authorityInstanceName ?? '',
    cell: ({ authorityInstanceUuid: uuid, authorityInstanceName: name }) =>
      uuid === undefined ? none('removed') : <TextLink to={paths.authorities.one(uuid)}>{name}</TextLink>,
  },
  {
    key: 'protocols',
    title: 'Protocols',
    minor: true,
    cell: ({ enabledProtocols = [] }) => (enabledProtocols.length === 0 ? none('none') : enabledProtocols.join(', ')),
  },
];

export function RaProfileListPage() {
  return (
    <ObjectListPage
      title="RA profiles"
      description="An RA profile sets the conditions under which an authority issues: what certificates look like, how long they are valid, and what requests may ask for."
      paths={paths.raProfiles}
      create={{ label: 'New RA profile', needs: ['raProfiles', 'create'] }}
      query={useQuery(raProfileListQuery)}
      what="RA profiles"
      columns={columns}
      textOf={({ name, description, authorityInstanceName }) => [name, description, authorityInstanceName].join(' ')}
      empty={{
        title: 'No RA profiles yet',
        text: 'Every certificate is issued under an RA profile, which says which authority signs and under which conditions.',
      }}
    />
  );
}
