// Page for a single credential: its fields, without secrets.
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
import { editAction, removeAction, switchAction } from '../../kit/common-actions.tsx';
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
          <Panel title="Details">
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

/** Uses the order and headings of the form once the definitions are loaded. */
function Contents({ credential }: { readonly credential: CredentialDto }) {
  const connectors = useQuery(connectorListQuery);
  const definitions = useQuery(kindDefinitionsQuery(kindOf(credential, connectors.data ?? [])));
  if (credential.attributes.length > 0)
    return <AttributeFacts values={credential.attributes} definitions={definitions.data} />;
  return <Text c="dimmed">The details were removed together with the connector.</Text>;
}

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
          consequence: 'It is no longer offered for new settings. Objects that already use it are not affected.',
          refresh: ['credentials'],
        }),
        removeAction({
          name,
          needs: ['credentials', 'delete', uuid],
          remove: () => api.credentials.deleteCredential({ params: { uuid } }),
          consequence: 'This cannot be undone. A credential that is used by other objects cannot be removed.',
          list: paths.credentials.list,
          queryKey: credentialQuery(uuid).queryKey,
        }),
      ]}
    />
  );
}
