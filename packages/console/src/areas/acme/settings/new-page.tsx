// Page for a new ACME profile, which is enabled as soon as it is created.
import { paths } from '../../../kit/paths.ts';
import { Page } from '../../../ui/page.tsx';
import { AcmeForm } from './profile-form.tsx';

export function AcmeNewPage() {
  return (
    <Page
      title="New ACME profile"
      description="A directory for ACME clients, with its own rules and accounts. Only a name and an RA profile are required; clients can use the directory as soon as it is created."
      parent={{ to: paths.acme.list, label: 'ACME' }}
    >
      <AcmeForm />
    </Page>
  );
}
