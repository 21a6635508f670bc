// A new credential: its kind decides what it holds.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { CredentialForm } from './credential-form.tsx';
import { kindsOf } from './kinds.ts';

export const NewCredentialPage = () => (
  <NewInstancePage
    title="New credential"
    description="Stores a secret once for every setting that needs it. You can replace it later, but it is never shown again."
    parent={{ to: paths.credentials.list, label: 'Credentials' }}
    what="credentials"
    kindsOf={kindsOf}
    form={(fields) => <CredentialForm {...fields} />}
  />
);
