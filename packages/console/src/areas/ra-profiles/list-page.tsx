// All RA profiles.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { enabledColumn, linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';

const columns: readonly FullListColumn<RaProfileDto>[] = [
  nameColumn(paths.raProfiles, ({ description }) => description),
  enabledColumn(),
  linkColumn('authority', 'Authority', {
    paths: paths.authorities,
    of: ({ authorityInstanceUuid, authorityInstanceName }) => ({
      uuid: authorityInstanceUuid,
      name: authorityInstanceName,
    }),
  }),
  textColumn('protocols', 'Protocols', ({ enabledProtocols = [] }) => enabledProtocols.join(', ') || undefined),
];

export function RaProfileListPage() {
  return (
    <ObjectListPage
      title="RA profiles"
      term="ra-profile"
      description="An RA profile defines the conditions under which an authority issues certificates: their contents, their validity period and the values that requests can contain."
      paths={paths.raProfiles}
      create={{ label: 'New RA profile', needs: ['raProfiles', 'create'] }}
      query={useQuery(raProfileListQuery)}
      what="RA profiles"
      columns={columns}
      textOf={({ name, description, authorityInstanceName }) => [name, description, authorityInstanceName].join(' ')}
      empty={{
        title: 'No RA profiles yet',
        text: 'Every certificate is issued under an RA profile, which determines the signing authority and the conditions.',
      }}
    />
  );
}
