// Changing an authority. What stands in its certificate stays; its connector says so where somebody tries.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../connectors/queries.ts';
import { AuthorityForm } from './authority-form.tsx';
import { kindsOf } from './kinds.ts';
import { authorityQuery } from './queries.ts';

const route = getRouteApi('/authorities/$uuid/edit');

export function EditAuthorityPage() {
  const { uuid } = route.useParams();
  const authority = useQuery(authorityQuery(uuid));
  const connectors = useQuery(connectorListQuery);
  const kind = kindsOf(connectors.data ?? []).find(
    (each) => each.connectorUuid === authority.data?.connectorUuid && each.kind === authority.data?.kind,
  );
  const definitions = useQuery(kindDefinitionsQuery(kind));
  const failed = [authority, connectors, definitions].find(({ error, data }) => error && !data);
  if (failed) return <Failure error={failed.error} retry={() => void failed.refetch()} />;
  if (!authority.data || !connectors.data || (kind && !definitions.data)) return <Loading what="the authority" />;
  const { name } = authority.data;
  return (
    <Page
      title={`Edit ${name}`}
      description="The connector decides what can still be changed: whatever stands in the certificate of a CA stays."
      parent={{ to: paths.authority(uuid), label: name }}
    >
      {kind && definitions.data ? (
        <AuthorityForm kind={kind} definitions={definitions.data} authority={authority.data} />
      ) : (
        <Panel>
          <Empty title="It cannot be changed">No connector speaks with it any more.</Empty>
        </Panel>
      )}
    </Page>
  );
}
