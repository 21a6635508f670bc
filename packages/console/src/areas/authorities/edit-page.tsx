// Changing an authority. Whatever stands in its certificate stays; its connector says so where somebody tries.
import type { AuthorityInstanceDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { Reading, together } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { authorityQuery } from '../../queries/authorities.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AuthorityForm } from './authority-form.tsx';
import { kindOf, type AuthorityKind } from './kinds.ts';

export function EditAuthorityPage() {
  const authority = useQuery(authorityQuery(useUuid()));
  const connectors = useQuery(connectorListQuery);
  return (
    <Reading of={together({ authority, connectors })} what="the authority">
      {({ authority, connectors }) => (
        <Page
          title={`Edit ${authority.name}`}
          description="The connector decides what can still be changed. The contents of a CA certificate stay as they are."
          parent={{ to: paths.authorities.one(authority.uuid), label: authority.name }}
        >
          <EditForm authority={authority} kind={kindOf(authority, connectors)} />
        </Page>
      )}
    </Reading>
  );
}

interface EditFormProps {
  readonly authority: AuthorityInstanceDto;
  /** Absent when its connector is gone. */
  readonly kind: AuthorityKind | undefined;
}

function EditForm({ authority, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This authority cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the settings of the authority" inPanel>
      {(definitions) => <AuthorityForm kind={kind} definitions={definitions} authority={authority} />}
    </Reading>
  );
}
