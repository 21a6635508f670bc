// Pages for adding and editing an approval profile.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { approvalProfileQuery } from '../../queries/approval-profiles.ts';
import { Page } from '../../ui/page.tsx';
import { ApprovalProfileForm } from './profile-form.tsx';

export const NewApprovalProfilePage = () => (
  <Page
    title="New approval profile"
    description="Who approves, and in what order. Activate it on an RA profile."
    parent={{ to: paths.approvalProfiles.list, label: 'Approval profiles' }}
  >
    <ApprovalProfileForm />
  </Page>
);

export const EditApprovalProfilePage = () => (
  <EditPage
    query={useQuery(approvalProfileQuery(useUuid()))}
    what="the approval profile"
    paths={paths.approvalProfiles}
    description="Changes apply to new requests. Pending requests keep the version under which they were created."
  >
    {(profile) => <ApprovalProfileForm profile={profile} />}
  </EditPage>
);
