// A new ACME profile. It is enabled as soon as it is created.
import { paths } from '../../../kit/paths.ts';
import { Page } from '../../../ui/page.tsx';
import { ProfileForm } from './profile-form.tsx';

export function AcmeNewPage() {
  return (
    <Page
      title="New ACME profile"
      description="A directory for ACME clients, with its own rules and accounts. A name and an RA profile are enough; clients can use it as soon as it is created."
      parent={{ to: paths.acme.list, label: 'ACME' }}
    >
      <ProfileForm />
    </Page>
  );
}
