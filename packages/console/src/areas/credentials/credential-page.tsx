// One credential: what it holds, without the secrets.
import { Text } from '@mantine/core';
import type { CredentialDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { identifierFact, linkFact } from '../../kit/facts.tsx';
import { ObjectPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { credentialQuery } from '../../queries/credentials.ts';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EnabledState } from '../../ui/state.tsx';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { editAction, removeAction, switchAction } from '../../kit/usual-actions.tsx';
import { CustomValues } from '../custom-attributes/values-panel.tsx';
import { kindOf } from './kinds.ts';

export function CredentialPage() {
  return (
    <ObjectPage
      query={useQuery(credentialQuery(useUuid()))}
      what="the credential"
      parent={{ to: paths.credentials.list, label: 'Credentials' }}
      mark={({ enabled }) => <EnabledState enabled={enabled} />}
      actions={(credential) => <CredentialActions credential={credential} />}
      main={(credential) => (
        <>
          <Panel title="Contents">
            <Contents credential={credential} />
          </Panel>
          <CustomValues
            resource="credentials"
            uuid={credential.uuid}
            values={credential.customAttributes}
            refresh={['credentials']}
          />
        </>
      )}
      side={({ uuid, kind, connectorUuid, connectorName }) => (
        <Panel title="Connector">
          <Facts
            facts={[
              linkFact('Connector', paths.connectors, { uuid: connectorUuid, name: connectorName }),
              { name: 'Kind', value: kind },
              identifierFact(uuid),
            ]}
          />
        </Panel>
      )}
    />
  );
}

/** In the order and under the headings of the form, once the definitions are loaded. */
function Contents({ credential }: { readonly credential: CredentialDto }) {
  const connectors = useQuery(connectorListQuery);
  const definitions = useQuery(kindDefinitionsQuery(kindOf(credential, connectors.data ?? [])));
  if (credential.attributes.length > 0)
    return <AttributeFacts values={credential.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">It holds nothing. What it held was removed with its connector.</Text>;
}

/** What can be done with a credential. */
function CredentialActions({ credential }: { readonly credential: CredentialDto }) {
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
