// What can be done with an identity provider.
import { IconPlugConnected } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { identityProviderQuery } from '../../queries/settings.ts';
import { ProviderTest } from './provider-test.tsx';
import type { IdentityProvider } from './shapes.ts';

export function ProviderActions({ provider: { name } }: { readonly provider: IdentityProvider }) {
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
            'Nobody can sign in with it any more, and its tokens are refused within five seconds. Users stay.',
          list: paths.settings,
          queryKey: identityProviderQuery(name).queryKey,
        }),
      ]}
    />
  );
}
