// Page for a single identity provider: its settings, and its token signing keys.
import { Code, Text } from '@mantine/core';
import type { JwkDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { IconPlugConnected } from '@tabler/icons-react';
import { formatSeconds } from '../../format/durations.ts';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { identityProviderQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { editAction, removeAction } from '../../kit/common-actions.tsx';
import { ProvisioningPanel } from './provisioning.tsx';
import type { IdentityProvider } from './shapes.ts';
import { ProviderTest } from './provider-test.tsx';

export function IdentityProviderPage() {
  return (
    <ObjectPage
      query={useQuery(identityProviderQuery(useUuid()))}
      what="the identity provider"
      parent={{ to: paths.settings, label: 'Settings' }}
      actions={(provider) => <ProviderActions provider={provider} />}
      main={(provider) => (
        <>
          <TokensPanel provider={provider} />
          <BrowserPanel provider={provider} />
          <ProvisioningPanel name={provider.name} />
        </>
      )}
      side={({ jwkSetKeys }) => <KeysPanel keys={jwkSetKeys} />}
    />
  );
}

const joinValues = (values: readonly string[] | undefined): string => (values ?? []).join(', ');

const TokensPanel = ({ provider }: { readonly provider: IdentityProvider }) => (
  <Panel title="Tokens">
    <Facts
      facts={[
        { name: 'Issuer', value: provider.issuerUrl, copy: provider.issuerUrl ?? '' },
        { name: 'Audiences', value: joinValues(provider.audiences) || 'Any' },
        { name: 'Key source', value: provider.jwkSetUrl ?? 'Configured JWK set' },
        { name: 'UserInfo URL', value: provider.userInfoUrl },
        { name: 'Allowed clock skew', value: formatSeconds(provider.skew ?? 0) },
      ]}
    />
  </Panel>
);

const BrowserPanel = ({ provider }: { readonly provider: IdentityProvider }) => (
  <Panel title="Browser sign-in">
    {provider.clientId && provider.authorizationUrl && provider.tokenUrl ? (
      <Facts
        facts={[
          { name: 'Client ID', value: provider.clientId },
          { name: 'Authorization URL', value: provider.authorizationUrl },
          { name: 'Token URL', value: provider.tokenUrl },
          { name: 'Scopes', value: joinValues(provider.scope) },
          { name: 'Logout URL', value: provider.logoutUrl },
          { name: 'Post-logout redirect URL', value: provider.postLogoutUrl },
          {
            name: 'Session idle timeout',
            value: formatSeconds(provider.sessionMaxInactiveInterval ?? 0),
          },
        ]}
      />
    ) : (
      <Text c="dimmed">Not configured. Only clients that send a token from this provider can authenticate.</Text>
    )}
  </Panel>
);

const KeysPanel = ({ keys }: { readonly keys: readonly JwkDto[] }) => (
  <Panel title="Keys">
    {keys.length === 0 ? (
      <Text c="dimmed">Fetched from the provider when a token is received.</Text>
    ) : (
      <Facts
        facts={keys.map(({ kid, keyType, algorithm }) => ({
          name: [keyType, algorithm].filter(Boolean).join(', '),
          value: <Code>{kid}</Code>,
        }))}
      />
    )}
  </Panel>
);

function ProviderActions({ provider: { name } }: { readonly provider: IdentityProvider }) {
  return (
    <Actions
      actions={[
        {
          label: 'Test',
          icon: IconPlugConnected,
          needs: ['settings', 'update'],
          dialog: ({ opened, onClose }) => (opened ? <ProviderTest name={name} onClose={onClose} /> : null),
        },
        editAction(paths.identityProviders.edit(name), ['settings', 'update']),
        removeAction({
          name,
          needs: ['settings', 'update'],
          remove: () => api.authenticationSettings.removeOAuth2Provider({ params: { providerName: name } }),
          consequence:
            'Users can no longer sign in with it, and its tokens are rejected within 5 s. The users are kept.',
          list: paths.settings,
          queryKey: identityProviderQuery(name).queryKey,
        }),
      ]}
    />
  );
}
