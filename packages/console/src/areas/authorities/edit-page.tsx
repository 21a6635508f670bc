// Editing an authority. The connector refuses to change what is in the CA certificate.
import type { AuthorityInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { authorityQuery } from '../../queries/authorities.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AuthorityForm } from './authority-form.tsx';
import { kindOf, type AuthorityKind } from './kinds.ts';

export function EditAuthorityPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage
      query={useQuery(authorityQuery(useUuid()))}
      what="the authority"
      paths={paths.authorities}
      description="The connector decides what can still be changed. The contents of a CA certificate stay as they are."
    >
      {(authority) => (
        <Reading of={connectors} what="the connector" inPanel>
          {(connectors) => <EditForm authority={authority} kind={kindOf(authority, connectors)} />}
        </Reading>
      )}
    </EditPage>
  );
}

interface EditFormProps {
  readonly authority: AuthorityInstanceDto;
  /** Absent if its connector was removed. */
  readonly kind: AuthorityKind | undefined;
}

function EditForm({ authority, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This authority cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the settings of the authority" inPanel>
      {(definitions) => <AuthorityForm kind={kind} definitions={definitions} authority={authority} />}
    </Reading>
  );
}
