// Editing an entity. Secrets that are not replaced stay.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { entityQuery, type EntityDetail } from '../../queries/entities.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { OfferedKind } from '../connectors/kinds.ts';
import { EntityForm } from './entity-form.tsx';
import { kindOf } from './kinds.ts';

export function EditEntityPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage
      query={useQuery(entityQuery(useUuid()))}
      what="the entity"
      paths={paths.entities}
      description="The connector decides what can still be changed. Secrets that you leave empty stay as they are."
    >
      {(entity) => (
        <Reading of={connectors} what="the connector" inPanel>
          {(connectors) => <EditForm entity={entity} kind={kindOf(entity, connectors)} />}
        </Reading>
      )}
    </EditPage>
  );
}

interface EditFormProps {
  readonly entity: EntityDetail;
  /** Absent if its connector was removed. */
  readonly kind: OfferedKind | undefined;
}

function EditForm({ entity, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This entity cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the settings of the entity" inPanel>
      {(definitions) => <EntityForm kind={kind} definitions={definitions} entity={entity} />}
    </Reading>
  );
}
