// Edits an authority. The connector rejects changes to the contents of the CA certificate.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { authorityQuery } from '../../queries/authorities.ts';
import { EditInstancePage } from '../connectors/instance-pages.tsx';
import { AuthorityForm } from './authority-form.tsx';
import { kindOf } from './kinds.ts';

export const EditAuthorityPage = () => (
  <EditInstancePage
    query={useQuery(authorityQuery(useUuid()))}
    what="the authority"
    paths={paths.authorities}
    description="The connector determines which settings can be changed. The contents of a CA certificate are fixed."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <AuthorityForm {...fields} authority={instance} />}
  />
);
