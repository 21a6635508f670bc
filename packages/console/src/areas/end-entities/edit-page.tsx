// Pages for adding and editing an end entity.
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { endEntityQuery } from '../../queries/end-entities.ts';
import { Page } from '../../ui/page.tsx';
import { EndEntityForm } from './end-entity-form.tsx';
import { WithRaProfile, useUsername } from './with-ra-profile.tsx';

export const NewEndEntityPage = () => (
  <WithRaProfile>
    {(profile) => (
      <Page
        title="New end entity"
        description={`It receives certificates under ${profile.name}, with the names entered here.`}
        parent={{ to: paths.raProfiles.endEntities(profile.uuid).list, label: 'End entities' }}
      >
        <EndEntityForm profile={profile} />
      </Page>
    )}
  </WithRaProfile>
);

export const EditEndEntityPage = () => (
  <WithRaProfile>{(profile) => <EditEndEntity profile={profile} />}</WithRaProfile>
);

function EditEndEntity({ profile }: { readonly profile: RaProfileDto }) {
  const username = useUsername();
  return (
    <EditPage
      query={useQuery(endEntityQuery({ raProfileName: profile.name, username }))}
      what="the end entity"
      paths={paths.raProfiles.endEntities(profile.uuid)}
      description="Existing certificates are not affected."
    >
      {(entity) => <EndEntityForm profile={profile} entity={entity} />}
    </EditPage>
  );
}
