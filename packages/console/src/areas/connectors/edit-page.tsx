// Changing the address of a connector or how the platform signs in there.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { ConnectorForm } from './connector-form.tsx';
import { connectorQuery } from './queries.ts';

const route = getRouteApi('/connectors/$uuid/edit');

export function EditConnectorPage() {
  const { uuid } = route.useParams();
  const { data: connector, error, refetch } = useQuery(connectorQuery(uuid));
  if (!connector)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the connector" />;
  return (
    <Page title={`Edit ${connector.name}`} parent={{ to: paths.connector(uuid), label: connector.name }}>
      <ConnectorForm connector={connector} />
    </Page>
  );
}
