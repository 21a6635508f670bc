// Edits an RA profile. The form is shown once its values and the fields of its authority are loaded.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { profileDefinitionsQuery } from '../../queries/authorities.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { RaProfileForm } from './ra-profile-form.tsx';

export function EditRaProfilePage() {
  const profile = useQuery(raProfileQuery(useUuid()));
  const authorityUuid = profile.data?.authorityInstanceUuid;
  const definitions = useQuery(profileDefinitionsQuery(authorityUuid));
  return (
    <EditPage query={profile} what="the RA profile" paths={paths.raProfiles}>
      {(profile) => (
        <QueryView of={definitions} what="the authority settings" inPanel>
          {(definitions) => <RaProfileForm authorityUuid={authorityUuid} definitions={definitions} profile={profile} />}
        </QueryView>
      )}
    </EditPage>
  );
}
