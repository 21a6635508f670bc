// A new ACME profile. It serves clients at once where it can.
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { paths } from '../../../paths.ts';
import { notify } from '../../../ui/notices.tsx';
import { Page } from '../../../ui/page.tsx';
import { useRefreshAcme } from '../queries.ts';
import { ProfileForm } from './profile-form.tsx';
import { createRequestOf, type CertificateAttributes, type ProfileValues } from './profile-values.ts';

export function AcmeNewPage() {
  const navigate = useNavigate();
  const refresh = useRefreshAcme();
  const create = async (values: ProfileValues, attributes: CertificateAttributes): Promise<() => void> => {
    const { uuid } = await api.acmeProfiles.createAcmeProfile({ body: createRequestOf(values, attributes) });
    // A new profile is disabled. Whoever may not enable it finds it so, with the button that says it.
    await api.acmeProfiles.enableAcmeProfile({ params: { uuid } }).catch(notify.failed);
    await refresh();
    return () => void navigate({ to: paths.acmeProfile(uuid) });
  };
  return (
    <Page
      title="New ACME profile"
      description="A directory for ACME clients, with rules and accounts of its own. A name and an RA profile are enough; it serves clients as soon as it is created."
      parent={{ to: paths.acme, label: 'ACME' }}
    >
      <ProfileForm label="New ACME profile" submitLabel="Create" cancelTo={paths.acme} onSave={create} />
    </Page>
  );
}
