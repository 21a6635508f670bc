// Adding a credential, and changing one.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { credentialQuery } from '../../queries/credentials.ts';
import { Page } from '../../ui/page.tsx';
import { CredentialForm } from './credential-form.tsx';

export function NewCredentialPage() {
  return (
    <Page
      title="New credential"
      description="__area__, in one sentence."
      parent={{ to: paths.credentials.list, label: 'Credentials' }}
    >
      <CredentialForm />
    </Page>
  );
}

export function EditCredentialPage() {
  return (
    <EditPage query={useQuery(credentialQuery(useUuid()))} what="the credential" paths={paths.credentials}>
      {(credential) => <CredentialForm credential={credential} />}
    </EditPage>
  );
}
