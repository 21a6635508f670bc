// Adding a connector, and changing its address or how the platform signs in there.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorQuery } from '../../queries/connectors.ts';
import { Page } from '../../ui/page.tsx';
import { ConnectorForm } from './connector-form.tsx';

export function NewConnectorPage() {
  return (
    <Page
      title="Add a connector"
      description="A connector is a program that talks to a certification authority or another system for the platform."
      parent={{ to: paths.connectors.list, label: 'Connectors' }}
    >
      <ConnectorForm />
    </Page>
  );
}

export function EditConnectorPage() {
  const connector = useQuery(connectorQuery(useUuid()));
  return (
    <Reading of={connector} what="the connector">
      {(connector) => (
        <Page
          title={`Edit ${connector.name}`}
          parent={{ to: paths.connectors.one(connector.uuid), label: connector.name }}
        >
          <ConnectorForm connector={connector} />
        </Page>
      )}
    </Reading>
  );
}
