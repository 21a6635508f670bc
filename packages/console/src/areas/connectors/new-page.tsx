// Adding a connector.
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { ConnectorForm } from './connector-form.tsx';

export function NewConnectorPage() {
  return (
    <Page
      title="Add a connector"
      description="A program that speaks with a certification authority or another system on behalf of the platform."
      parent={{ to: paths.connectors, label: 'Connectors' }}
    >
      <ConnectorForm />
    </Page>
  );
}
