// A new credential: its kind decides what it holds.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { CredentialForm } from './credential-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewCredentialPage = () => (
  <NewInstancePage
    title="New credential"
    description="Keeps a secret once, for all settings that need it. It can be replaced later, but is never shown again."
    parent={{ to: paths.credentials.list, label: 'Credentials' }}
    what="credentials"
    kindsOf={kindsOf}
    none={{ text: 'None of the connected connectors offers any.' }}
    form={(fields) => <CredentialForm {...fields} />}
  />
);
