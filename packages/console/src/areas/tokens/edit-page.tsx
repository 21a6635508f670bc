// Editing a token. Secrets that are not replaced stay; the connector decides what can still be changed.
import type { TokenInstanceDetailDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { tokenQuery } from '../../queries/tokens.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { OfferedKind } from '../connectors/kinds.ts';
import { TokenForm } from './token-form.tsx';
import { kindOf } from './kinds.ts';

export function EditTokenPage() {
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage
      query={useQuery(tokenQuery(useUuid()))}
      what="the token"
      paths={paths.tokens}
      description="The connector decides what can still be changed."
    >
      {(token) => (
        <Reading of={connectors} what="the connector" inPanel>
          {(connectors) => <EditForm token={token} kind={kindOf(token, connectors)} />}
        </Reading>
      )}
    </EditPage>
  );
}

interface EditFormProps {
  readonly token: TokenInstanceDetailDto;
  /** Absent if its connector was removed. */
  readonly kind: OfferedKind | undefined;
}

function EditForm({ token, kind }: EditFormProps) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title="This token cannot be changed">Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <Reading of={definitions} what="the settings of the token" inPanel>
      {(definitions) => <TokenForm kind={kind} definitions={definitions} token={token} />}
    </Reading>
  );
}
