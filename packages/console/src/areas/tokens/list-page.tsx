// All tokens, with their last known status.
import type { TokenInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { linkColumn, nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { tokenListQuery } from '../../queries/tokens.ts';
import { describeKind } from '../connectors/kinds.ts';
import { TokenState } from './state.tsx';

const columns: readonly FullListColumn<TokenInstanceDto>[] = [
  nameColumn(paths.tokens),
  { key: 'status', title: 'Status', by: ({ status }) => status, cell: ({ status }) => <TokenState of={status} /> },
  textColumn('kind', 'Kind', ({ kind }) => describeKind(kind)),
  linkColumn('connector', 'Connector', {
    paths: paths.connectors,
    of: ({ connectorUuid, connectorName }) => ({ uuid: connectorUuid, name: connectorName }),
  }),
  {
    key: 'profiles',
    title: 'Token profiles',
    minor: true,
    by: ({ tokenProfiles }) => tokenProfiles,
    cell: ({ tokenProfiles }) => tokenProfiles,
  },
];

export function TokenListPage() {
  return (
    <ObjectListPage
      title="Tokens"
      term="token"
      description="A token holds keys, in software or in an HSM. The platform uses them inside the token: private keys never leave it."
      paths={paths.tokens}
      create={{ label: 'New token', needs: ['tokens', 'create'] }}
      query={useQuery(tokenListQuery)}
      what="tokens"
      columns={columns}
      textOf={({ name, kind, connectorName }) => [name, kind, describeKind(kind), connectorName].join(' ')}
      empty={{
        title: 'No tokens yet',
        text: 'Create a built-in software token, or connect an HSM through its cryptography provider.',
      }}
    />
  );
}
