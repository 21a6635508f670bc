// The settings of a profile, to be changed.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { paths } from '../../../paths.ts';
import { notify } from '../../../ui/notices.tsx';
import { Failure, Loading } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { profileQuery, useRefreshAcme } from '../queries.ts';
import type { Profile } from '../shapes.ts';
import { ProfileForm } from './profile-form.tsx';
import { editRequestOf, type CertificateAttributes, type ProfileValues } from './profile-values.ts';

const route = getRouteApi('/acme/$uuid/edit');

export function AcmeEditPage() {
  const { uuid } = route.useParams();
  // What was read when the form was opened stays its base; another's change meanwhile is not mixed into it.
  const { data, error, refetch } = useQuery({ ...profileQuery(uuid), refetchOnWindowFocus: false });
  if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the settings" />;
  return <EditPage key={data.uuid} profile={data} />;
}

function EditPage({ profile }: { readonly profile: Profile }) {
  const navigate = useNavigate();
  const refresh = useRefreshAcme();
  const { uuid, name } = profile;
  const save = async (values: ProfileValues, attributes: CertificateAttributes): Promise<() => void> => {
    await api.acmeProfiles.editAcmeProfile({ params: { uuid }, body: editRequestOf(values, attributes) });
    await refresh();
    notify.done(`The settings of ${name} are saved.`);
    return () => void navigate({ to: paths.acmeProfile(uuid, 'settings') });
  };
  return (
    <Page
      title={`Settings of ${name}`}
      description="They hold for what clients ask from now on."
      parent={{ to: paths.acmeProfile(uuid, 'settings'), label: name }}
    >
      <ProfileForm
        label={`Settings of ${name}`}
        submitLabel="Save"
        profile={profile}
        cancelTo={paths.acmeProfile(uuid, 'settings')}
        onSave={save}
      />
    </Page>
  );
}
