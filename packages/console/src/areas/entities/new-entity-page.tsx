// Creates an entity. Its kind determines the other fields.
import { paths } from '../../kit/paths.ts';
import { NewInstancePage } from '../connectors/instance-pages.tsx';
import { describeKind } from '../connectors/kinds.ts';
import { EntityForm } from './entity-form.tsx';
import { kindsOfEntities } from './kinds.ts';

export const NewEntityPage = () => (
  <NewInstancePage
    title="New target"
    description="A server, device or store that a connector manages. Add its certificate locations afterward."
    parent={{ to: paths.entities.list, label: 'Targets' }}
    what="targets"
    kindsOf={kindsOfEntities}
    wordsOf={describeKind}
    form={(fields) => <EntityForm {...fields} />}
  />
);
