// A new entity: its kind decides which further fields there are.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { EntityForm } from './entity-form.tsx';
import { kindsOfEntities } from './kinds.ts';

export const NewEntityPage = () => (
  <NewInstancePage
    title="New entity"
    description="A server, device or store that a connector manages. Add its certificate locations afterwards."
    parent={{ to: paths.entities.list, label: 'Servers and stores' }}
    what="entities"
    kindsOf={kindsOfEntities}
    wordsOf={wordsOfKind}
    form={(fields) => <EntityForm {...fields} />}
  />
);
