// Editing a credential. Secrets and key stores that are not replaced stay.
import type { CredentialDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { credentialQuery } from '../../queries/credentials.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { OfferedKind } from '../connectors/kinds.ts';
import { CredentialForm } from './credential-form.tsx';
import { kindOf } from './kinds.ts';

export function EditCredentialPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage
      query={useQuery(credentialQuery(useUuid()))}
      what="the credential"
      paths={paths.credentials}
      description="New values apply to every object that uses the credential."
    >
      {(credential) => (
        <Reading of={connectors} what="the connector" inPanel>
          {(connectors) => <EditForm credential={credential} kind={kindOf(credential, connectors)} />}
        </Reading>
      )}
    </EditPage>
  );
}

interface EditFormProps {
  readonly credential: CredentialDto;
  /** Absent if its connector was removed. */
  readonly kind: OfferedKind | undefined;
}

function EditForm({ credential, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This credential cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the contents of the credential" inPanel>
      {(definitions) => <CredentialForm kind={kind} definitions={definitions} credential={credential} />}
    </Reading>
  );
}
