// Page for editing the settings of a profile.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../../kit/object-page.tsx';
import { paths } from '../../../kit/paths.ts';
import { useUuid } from '../../../kit/routes.ts';
import { profileQuery } from '../../../queries/acme.ts';
import { AcmeForm } from './profile-form.tsx';

export function AcmeEditPage() {
  return (
    <EditPage
      query={useQuery(profileQuery(useUuid()))}
      what="the ACME profile"
      paths={paths.acme}
      description="Changes apply to future requests."
    >
      {(profile) => <AcmeForm profile={profile} />}
    </EditPage>
  );
}
