// Edits a token profile. The form is shown once the profile and the fields defined by its token are loaded.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { tokenProfileDefinitionsQuery, tokenProfileQuery } from '../../queries/tokens.ts';
import { useTokenProfilePath } from './token-profile-path.ts';
import { TokenProfileForm } from './token-profile-form.tsx';

export function EditTokenProfilePage() {
  const place = useTokenProfilePath();
  const definitions = useQuery(tokenProfileDefinitionsQuery(place.tokenUuid));
  return (
    <EditPage
      query={useQuery(tokenProfileQuery(place))}
      what="the token profile"
      paths={paths.tokenProfiles.of(place.tokenUuid)}
    >
      {(profile) => (
        <QueryView of={definitions} what="the settings of the token" inPanel>
          {(definitions) => (
            <TokenProfileForm tokenUuid={place.tokenUuid} definitions={definitions} profile={profile} />
          )}
        </QueryView>
      )}
    </EditPage>
  );
}
