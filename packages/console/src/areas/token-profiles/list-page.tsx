// Token profiles of all tokens.
import type { TokenProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { enabledColumn, linkColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { tokenProfileListQuery } from '../../queries/tokens.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { TokenState } from '../tokens/state.tsx';
import { describeUsages } from './usages.tsx';

const columns: readonly FullListColumn<TokenProfileDto>[] = [
  {
    key: 'name',
    title: 'Name',
    by: ({ name }) => name,
    cell: ({ uuid, name, description, tokenInstanceUuid }) => (
      <ObjectLink to={paths.tokenProfiles.of(tokenInstanceUuid).one(uuid)} name={name} detail={description} />
    ),
  },
  enabledColumn(),
  linkColumn('token', 'Token', {
    paths: paths.tokens,
    of: ({ tokenInstanceUuid, tokenInstanceName }) => ({ uuid: tokenInstanceUuid, name: tokenInstanceName }),
  }),
  {
    key: 'status',
    title: 'Token status',
    minor: true,
    by: ({ tokenInstanceStatus }) => tokenInstanceStatus,
    cell: ({ tokenInstanceStatus }) => <TokenState of={tokenInstanceStatus} />,
  },
  textColumn('usages', 'Usages of new keys', ({ usages }) => describeUsages(usages)),
];

export function TokenProfileListPage() {
  return (
    <ObjectListPage
      title="Token profiles"
      term="token-profile"
      description="A token profile determines what the keys of a token can be used for, and by whom."
      paths={paths.tokenProfiles.of('')}
      create={{ label: 'New token profile', needs: ['tokenProfiles', 'create'] }}
      query={useQuery(tokenProfileListQuery)}
      what="token profiles"
      columns={columns}
      textOf={({ name, description, tokenInstanceName }) => [name, description, tokenInstanceName].join(' ')}
      empty={{
        title: 'No token profiles yet',
        text: 'Every key is created under a token profile, which determines its token and its allowed usages.',
      }}
    />
  );
}
