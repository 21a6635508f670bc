// Creates an authority. Its kind determines the other fields.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { kindsOfAuthorities } from '../connectors/kinds.ts';
import { AuthorityForm } from './authority-form.tsx';
import { usualKind } from './kinds.ts';

export const NewAuthorityPage = () => (
  <NewInstancePage
    title="New authority"
    description="Create a certification authority through a connector, or register one that the connector can reach."
    parent={{ to: paths.authorities.list, label: 'Authorities' }}
    what="authorities"
    kindsOf={kindsOfAuthorities}
    usualKind={usualKind}
    form={(fields) => <AuthorityForm {...fields} />}
  />
);
