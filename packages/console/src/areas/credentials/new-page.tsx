// Creates a credential. Its kind determines the other fields.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { CredentialForm } from './credential-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewCredentialPage = () => (
  <NewInstancePage
    title="New credential"
    description="Store a secret once for all settings that need it. It can be replaced later, but is never shown again."
    parent={{ to: paths.credentials.list, label: 'Credentials' }}
    what="credentials"
    kindsOf={kindsOf}
    form={(fields) => <CredentialForm {...fields} />}
  />
);
