// Pages for adding and editing a connector.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { connectorQuery } from '../../queries/connectors.ts';
import { Page } from '../../ui/page.tsx';
import { ConnectorForm } from './connector-form.tsx';

export function NewConnectorPage() {
  return (
    <Page
      title="New connector"
      description="The platform communicates with certification authorities and other systems through connectors."
      parent={{ to: paths.connectors.list, label: 'Connectors' }}
    >
      <ConnectorForm />
    </Page>
  );
}

export function EditConnectorPage() {
  return (
    <EditPage query={useQuery(connectorQuery(useUuid()))} what="the connector" paths={paths.connectors}>
      {(connector) => <ConnectorForm connector={connector} />}
    </EditPage>
  );
}
