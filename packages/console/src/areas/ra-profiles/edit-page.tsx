// Changing an RA profile. The form opens once both its values and what its authority asks for are here.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { profileDefinitionsQuery } from '../authorities/queries.ts';
import { raProfileQuery } from './queries.ts';
import { RaProfileForm } from './ra-profile-form.tsx';

const route = getRouteApi('/ra-profiles/$uuid/edit');

export function EditRaProfilePage() {
  const { uuid } = route.useParams();
  const profile = useQuery(raProfileQuery(uuid));
  const authorityUuid = profile.data?.authorityInstanceUuid;
  const definitions = useQuery(profileDefinitionsQuery(authorityUuid));
  const failed = [profile, definitions].find(({ error, data }) => error && !data);
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />;
  if (!profile.data || !definitions.data) return <Loading what="the RA profile" />;
  const { name } = profile.data;
  return (
    <Page title={`Edit ${name}`} parent={{ to: paths.raProfile(uuid), label: name }}>
      <RaProfileForm authorityUuid={authorityUuid} definitions={definitions.data} profile={profile.data} />
    </Page>
  );
}
