// Creates and edits a compliance profile. The form is shown once the available rules are loaded.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { complianceProfileQuery } from '../../queries/compliance.ts';
import { Page } from '../../ui/page.tsx';
import { ProfileForm } from './profile-form.tsx';

export function NewComplianceProfilePage() {
  return (
    <Page
      title="New compliance profile"
      description="Choose its rules. Assign it to RA profiles and token profiles on its detail page."
      parent={{ to: paths.compliance.profiles.list, label: 'Compliance profiles' }}
    >
      <ProfileForm />
    </Page>
  );
}

export function EditComplianceProfilePage() {
  return (
    <EditPage
      query={useQuery(complianceProfileQuery(useUuid()))}
      what="the compliance profile"
      paths={paths.compliance.profiles}
    >
      {(profile) => <ProfileForm profile={profile} />}
    </EditPage>
  );
}
