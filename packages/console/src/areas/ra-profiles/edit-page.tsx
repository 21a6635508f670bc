// Changing an RA profile. The form opens once both its values and what its authority asks for are here.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading, together } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { profileDefinitionsQuery } from '../../queries/authorities.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { Page } from '../../ui/page.tsx';
import { RaProfileForm } from './ra-profile-form.tsx';

export function EditRaProfilePage() {
  const profile = useQuery(raProfileQuery(useUuid()));
  const authorityUuid = profile.data?.authorityInstanceUuid;
  const definitions = useQuery(profileDefinitionsQuery(authorityUuid));
  return (
    <Reading of={together({ profile, definitions })} what="the RA profile">
      {({ profile, definitions }) => (
        <Page title={`Edit ${profile.name}`} parent={{ to: paths.raProfiles.one(profile.uuid), label: profile.name }}>
          <RaProfileForm authorityUuid={authorityUuid} definitions={definitions} profile={profile} />
        </Page>
      )}
    </Reading>
  );
}
