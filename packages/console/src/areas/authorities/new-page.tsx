// A new authority: its kind decides which further fields there are.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { kindsOfAuthorities } from '../connectors/kinds.ts';
import { AuthorityForm } from './authority-form.tsx';
import { usualKind } from './kinds.ts';

export const NewAuthorityPage = () => (
  <NewInstancePage
    title="New authority"
    description="Creates a certification authority at a connector, or registers one that the connector can reach."
    parent={{ to: paths.authorities.list, label: 'Authorities' }}
    what="authorities"
    kindsOf={kindsOfAuthorities}
    usualKind={usualKind}
    form={(fields) => <AuthorityForm {...fields} />}
  />
);
