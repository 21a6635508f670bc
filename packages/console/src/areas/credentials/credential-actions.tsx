// What can be done with a credential.
import type { CredentialDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { paths } from '../../kit/paths.ts';
import { editAction, removeAction, switchAction } from '../../kit/usual-actions.tsx';
import { credentialQuery } from '../../queries/credentials.ts';

export function CredentialActions({ credential }: { readonly credential: CredentialDto }) {
  const { uuid, name, enabled, connectorUuid } = credential;
  return (
    <Actions
      actions={[
        connectorUuid !== undefined && editAction(paths.credentials.edit(uuid), ['credentials', 'update', uuid]),
        switchAction({
          name,
          enabled,
          needs: ['credentials', 'enable', uuid],
          enable: () => api.credentials.enableCredential({ params: { uuid } }),
          disable: () => api.credentials.disableCredential({ params: { uuid } }),
          consequence: 'It is no longer offered for new settings. Objects that use it already go on using it.',
          refresh: ['credentials'],
        }),
        removeAction({
          name,
          needs: ['credentials', 'delete', uuid],
          remove: () => api.credentials.deleteCredential({ params: { uuid } }),
          consequence: 'This cannot be undone. It is refused while other objects use the credential.',
          list: paths.credentials.list,
          queryKey: credentialQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
