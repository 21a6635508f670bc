// Editing an authority. The connector refuses to change what is in the CA certificate.
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
    description="The connector decides what can still be changed. The contents of a CA certificate cannot be changed."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <AuthorityForm {...fields} authority={instance} />}
  />
);
