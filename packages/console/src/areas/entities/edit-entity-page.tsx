// Edits an entity. Secrets are kept unless they are replaced.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { entityQuery } from '../../queries/entities.ts';
import { EditInstancePage } from '../connectors/instance-pages.tsx';
import { EntityForm } from './entity-form.tsx';
import { kindOf } from './kinds.ts';

export const EditEntityPage = () => (
  <EditInstancePage
    query={useQuery(entityQuery(useUuid()))}
    what="the target"
    paths={paths.entities}
    description="The connector determines which settings can be changed. Leave a secret empty to keep it."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <EntityForm {...fields} entity={instance} />}
  />
);
