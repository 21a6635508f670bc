// Pages for adding and editing an identity provider.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { identityProviderQuery } from '../../queries/settings.ts';
import { Page } from '../../ui/page.tsx';
import { ProviderForm } from './provider-form.tsx';

export const NewIdentityProviderPage = () => (
  <Page
    title="New identity provider"
    description="An OAuth 2.0 authorization server with OpenID Connect, such as Keycloak or Entra ID. Register Signetry there as a client first."
    parent={{ to: paths.settings, label: 'Settings' }}
  >
    <ProviderForm />
  </Page>
);

export const EditIdentityProviderPage = () => (
  <EditPage
    query={useQuery(identityProviderQuery(useUuid()))}
    what="the identity provider"
    paths={paths.identityProviders}
    description="Changes apply to future tokens and sign-ins."
  >
    {(provider) => <ProviderForm provider={provider} />}
  </EditPage>
);
