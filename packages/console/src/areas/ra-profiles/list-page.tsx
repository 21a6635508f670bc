// All RA profiles.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { enabledColumn, linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { raProfileListQuery } from '../../queries/ra-profiles.ts';

const columns: readonly WholeColumn<RaProfileDto>[] = [
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
