// Edits a credential. Secrets and key stores that are not replaced are kept.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { credentialQuery } from '../../queries/credentials.ts';
import { EditInstancePage } from '../connectors/instance-pages.tsx';
import { CredentialForm } from './credential-form.tsx';
import { kindOf } from './kinds.ts';

export const EditCredentialPage = () => (
  <EditInstancePage
    query={useQuery(credentialQuery(useUuid()))}
    what="the credential"
    paths={paths.credentials}
    description="New values apply to all objects that use the credential."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <CredentialForm {...fields} credential={instance} />}
  />
);
