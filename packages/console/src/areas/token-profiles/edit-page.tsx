// Edits a token profile. The form is shown once the profile and the fields defined by its token are loaded.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { profileOfTokenDefinitionsQuery, tokenProfileQuery } from '../../queries/tokens.ts';
import { useProfilePlace } from './place.ts';
import { TokenProfileForm } from './token-profile-form.tsx';

export function EditTokenProfilePage() {
  const place = useProfilePlace();
  const definitions = useQuery(profileOfTokenDefinitionsQuery(place.tokenUuid));
  return (
    <EditPage
      query={useQuery(tokenProfileQuery(place))}
      what="the token profile"
      paths={paths.tokenProfiles.of(place.tokenUuid)}
    >
      {(profile) => (
        <Reading of={definitions} what="the settings of the token" inPanel>
          {(definitions) => (
            <TokenProfileForm tokenUuid={place.tokenUuid} definitions={definitions} profile={profile} />
          )}
        </Reading>
      )}
    </EditPage>
  );
}
