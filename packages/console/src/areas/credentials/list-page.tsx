// All credentials.
import type { CredentialDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { enabledColumn, linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { credentialListQuery } from '../../queries/credentials.ts';

const columns: readonly FullListColumn<CredentialDto>[] = [
  nameColumn(paths.credentials),
  enabledColumn(),
  textColumn('kind', 'Kind', ({ kind }) => kind),
  linkColumn('connector', 'Connector', {
    paths: paths.connectors,
    of: ({ connectorUuid, connectorName }) => ({ uuid: connectorUuid, name: connectorName }),
  }),
];

export function CredentialListPage() {
  return (
    <ObjectListPage
      title="Credentials"
      term="credential"
      description="A credential is a secret that is stored once and used in the settings of other objects, such as authorities."
      paths={paths.credentials}
      create={{ label: 'New credential', needs: ['credentials', 'create'] }}
      query={useQuery(credentialListQuery)}
      what="credentials"
      columns={columns}
      textOf={({ name, kind, connectorName }) => [name, kind, connectorName].join(' ')}
      empty={{
        title: 'No credentials yet',
        text: 'Add one when a connector requires a password, an API key or a key store for TLS.',
      }}
    />
  );
}
