// Editing an entity. Secrets that are not replaced stay.
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
    what="the entity"
    paths={paths.entities}
    description="The connector decides what can still be changed. Leave a secret empty to keep it."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <EntityForm {...fields} entity={instance} />}
  />
);
