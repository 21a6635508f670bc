// View and edit pages of an object.
import type { ReactNode } from 'react';
import { Columns } from '../ui/columns.tsx';
import { Page } from '../ui/page.tsx';
import type { ObjectPaths } from './paths.ts';
import { QueryView, type QueryLike } from './query-view.tsx';

interface NamedObject {
  readonly uuid: string;
  readonly name: string;
}

export interface ObjectPageProps<Shown> {
  readonly query: QueryLike<Shown>;
  /** Name of the object for use within a sentence, e.g. `the connector`. */
  readonly what: string;
  readonly parent: { readonly to: string; readonly label: string };
  /** Shown next to the name, e.g. a state. */
  readonly mark?: (object: Shown) => ReactNode;
  readonly description?: (object: Shown) => ReactNode;
  readonly actions?: (object: Shown) => ReactNode;
  readonly main: (object: Shown) => ReactNode;
  readonly side: (object: Shown) => ReactNode;
}

export function ObjectPage<Shown extends NamedObject>(props: ObjectPageProps<Shown>) {
  const { query, what, parent, mark, description, actions, main, side } = props;
  return (
    <QueryView of={query} what={what}>
      {(object) => (
        <Page
          title={object.name}
          mark={mark?.(object)}
          description={description?.(object)}
          parent={parent}
          actions={actions?.(object)}
        >
          <Columns main={main(object)} side={side(object)} />
        </Page>
      )}
    </QueryView>
  );
}

export interface EditPageProps<Read extends NamedObject> {
  readonly query: QueryLike<Read>;
  readonly what: string;
  readonly paths: ObjectPaths;
  readonly description?: string;
  readonly children: (object: Read) => ReactNode;
}

export function EditPage<Read extends NamedObject>(props: EditPageProps<Read>) {
  const { query, what, paths, description, children } = props;
  return (
    <QueryView of={query} what={what}>
      {(object) => (
        <Page
          title={`Edit ${object.name}`}
          description={description}
          parent={{ to: paths.one(object.uuid), label: object.name }}
        >
          {children(object)}
        </Page>
      )}
    </QueryView>
  );
}
