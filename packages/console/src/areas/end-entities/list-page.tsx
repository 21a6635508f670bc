// End entities of an RA profile.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { endEntityListQuery, type EndEntity } from '../../queries/end-entities.ts';
import { WithRaProfile } from './with-ra-profile.tsx';
import { EndEntityState } from './state.tsx';

export const EndEntityListPage = () => (
  <WithRaProfile>{(profile) => <EndEntityList profile={profile} />}</WithRaProfile>
);

const columnsOf = (raProfileUuid: string): readonly FullListColumn<EndEntity>[] => [
  nameColumn(paths.raProfiles.endEntities(raProfileUuid), ({ subjectDN }) => subjectDN),
  { key: 'state', title: 'State', by: ({ status }) => status, cell: ({ status }) => <EndEntityState of={status} /> },
  textColumn('names', 'Subject alternative names', ({ subjectAltName }) => subjectAltName),
  textColumn('email', 'Email', ({ email }) => email),
];

function EndEntityList({ profile: { uuid, name } }: { readonly profile: RaProfileDto }) {
  return (
    <ObjectListPage
      title="End entities"
      description={`A client with the username and password of an end entity can request its certificate under ${name}.`}
      parent={{ to: paths.raProfiles.one(uuid), label: name }}
      paths={paths.raProfiles.endEntities(uuid)}
      create={{ label: 'New end entity', needs: ['certificates', 'issue'] }}
      query={useQuery(endEntityListQuery(name))}
      what="end entities"
      columns={columnsOf(uuid)}
      textOf={({ username, subjectDN, subjectAltName, email }) =>
        [username, subjectDN, subjectAltName, email].join(' ')
      }
      empty={{
        title: 'No end entities yet',
        text: 'Register each user or device that needs a certificate. The username and password are required to request it.',
      }}
    />
  );
}
