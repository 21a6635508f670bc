// One credential.
import type { CredentialDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { identifierFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { editAction, removeAction } from '../../kit/usual-actions.tsx';
import { credentialQuery } from '../../queries/credentials.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';

export function CredentialPage() {
  return (
    <ObjectPage
      query={useQuery(credentialQuery(useUuid()))}
      what="the credential"
      parent={{ to: paths.credentials.list, label: 'Credentials' }}
      actions={(credential) => <CredentialActions credential={credential} />}
      main={({ description }) => <Panel title="Description">{description ?? 'None.'}</Panel>}
      side={({ uuid }) => (
        <Panel title="Identity">
          <Facts facts={[identifierFact(uuid)]} />
        </Panel>
      )}
    />
  );
}

function CredentialActions({ credential: { uuid, name } }: { readonly credential: CredentialDto }) {
  return (
    <Actions
      actions={[
        editAction(paths.credentials.edit(uuid), ['credentials', 'update', uuid]),
        removeAction({
          name,
          needs: ['credentials', 'delete', uuid],
          remove: () => api.credentials.deleteCredential({ params: { uuid } }),
          consequence: 'This cannot be undone.',
          list: paths.credentials.list,
          queryKey: credentialQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
