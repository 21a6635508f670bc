// Pages for creating and editing an object that a connector provides: an authority, token, entity, notification
// provider or credential. Its kind determines the fields; the area renders the form.
import type { BaseAttributeDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { EditPage, type EditPageProps } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { connectorListQuery, kindDefinitionsQuery } from '../../queries/connectors.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KindField } from './kind-field.tsx';
import { keyOf, type OfferedKind } from './kinds.ts';
import type { Connector } from './shapes.ts';

type KindSelector = (connectors: readonly Connector[]) => readonly OfferedKind[];

/** Values for the form of a new object. */
export interface NewInstanceFields {
  /** Absent until a kind is chosen. */
  readonly kind: OfferedKind | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  /** Kind selector. */
  readonly kindField: ReactNode;
  /** Shown instead of the attributes until they are loaded. */
  readonly instead: ReactNode;
}

export interface NewInstancePageProps {
  readonly title: string;
  readonly description: string;
  readonly parent: { readonly to: string; readonly label: string };
  /** Name of the object type for use within a sentence, e.g. `tokens`. */
  readonly what: string;
  readonly kindsOf: KindSelector;
  /**
   * Returns the preselected kind. If this function is absent, the preselected kind is the given connector's only kind,
   * or the only kind overall if that connector does not offer any.
   */
  readonly usualKind?: (kinds: readonly OfferedKind[], connectorUuid?: string) => OfferedKind | undefined;
  /** Returns a kind's label. If this function is absent, the kind's code is shown. */
  readonly wordsOf?: (kind: string) => string;
  readonly form: (fields: NewInstanceFields) => ReactNode;
}

export function NewInstancePage(props: NewInstancePageProps) {
  const { title, description, parent, what, kindsOf } = props;
  return (
    <Page title={title} description={description} parent={parent}>
      <QueryView of={useQuery(connectorListQuery)} what={`the kinds of ${what}`} inPanel>
        {(connectors) => (
          <NewInstance {...props} kinds={kindsOf(connectors.filter(({ status }) => status === 'connected'))} />
        )}
      </QueryView>
    </Page>
  );
}

interface NewInstanceProps extends NewInstancePageProps {
  readonly kinds: readonly OfferedKind[];
}

function NewInstance({ kinds, what, usualKind = findOnlyKind, wordsOf, form }: NewInstanceProps) {
  const { connector }: { readonly connector?: string } = useSearch({ strict: false });
  const [chosen, setChosen] = useState<string>();
  const kind = kinds.find((each) => keyOf(each) === chosen) ?? usualKind(kinds, connector);
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (kinds.length === 0)
    return (
      <Panel>
        <Empty title={`No connector offers ${what}`} action={<ActionButton action={openConnectors} />}>
          Add a connector that supports them first.
        </Empty>
      </Panel>
    );
  const instead = kind ? (
    <QueryView of={definitions} what="the settings of this kind">
      {() => null}
    </QueryView>
  ) : (
    <Empty title="Choose a kind">Each kind has its own settings.</Empty>
  );
  return form({
    kind: definitions.data && kind,
    definitions: definitions.data ?? [],
    instead: definitions.data ? undefined : instead,
    kindField: <KindField kinds={kinds} kind={kind} {...(wordsOf && { wordsOf })} onChange={setChosen} />,
  });
}

const openConnectors: Action = {
  label: 'Go to connectors',
  isPrimary: true,
  needs: ['connectors', 'list'],
  to: paths.connectors.list,
};

function findOnlyKind(kinds: readonly OfferedKind[], connectorUuid?: string): OfferedKind | undefined {
  const own = kinds.filter((kind) => kind.connectorUuid === connectorUuid);
  const [only, ...others] = own.length > 0 ? own : kinds;
  return others.length === 0 ? only : undefined;
}

/** Values for the form of an existing object. */
export interface EditInstanceFields<Instance> {
  readonly kind: OfferedKind;
  readonly definitions: readonly BaseAttributeDto[];
  readonly instance: Instance;
}

export interface EditInstancePageProps<Instance extends { readonly uuid: string; readonly name: string }> extends Omit<
  EditPageProps<Instance>,
  'children'
> {
  /** Returns undefined if the object's connector was removed. */
  readonly kindOf: (instance: Instance, connectors: readonly Connector[]) => OfferedKind | undefined;
  readonly form: (fields: EditInstanceFields<Instance>) => ReactNode;
}

export function EditInstancePage<Instance extends { readonly uuid: string; readonly name: string }>(
  props: EditInstancePageProps<Instance>,
) {
  const { kindOf, form, ...page } = props;
  const connectors = useQuery(connectorListQuery);
  return (
    <EditPage {...page}>
      {(instance) => (
        <QueryView of={connectors} what="the connector" inPanel>
          {(connectors) => (
            <EditInstance what={page.what} kind={kindOf(instance, connectors)} instance={instance} form={form} />
          )}
        </QueryView>
      )}
    </EditPage>
  );
}

interface EditInstanceProps<Instance> {
  readonly what: string;
  readonly kind: OfferedKind | undefined;
  readonly instance: Instance;
  readonly form: (fields: EditInstanceFields<Instance>) => ReactNode;
}

function EditInstance<Instance>({ what, kind, instance, form }: EditInstanceProps<Instance>) {
  const definitions = useQuery(kindDefinitionsQuery(kind));
  if (!kind)
    return (
      <Panel>
        <Empty title={`${what.replace(/^the /, 'This ')} cannot be changed`}>Its connector was removed.</Empty>
      </Panel>
    );
  return (
    <QueryView of={definitions} what={`the settings of ${what}`} inPanel>
      {(definitions) => form({ kind, definitions, instance })}
    </QueryView>
  );
}
