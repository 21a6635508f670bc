// Page that lists the objects of an area, with a button to create one.
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../ui/outcomes.tsx';
import { Page, type PageProps } from '../ui/page.tsx';
import classes from './list.module.css';
import { ActionButton } from './actions.tsx';
import type { ObjectPaths } from './paths.ts';
import type { Right } from './rights.ts';
import { FullList, type FullListProps } from './full-list.tsx';

export interface ObjectListPageProps<Row> extends Omit<FullListProps<Row>, 'nameOf' | 'empty' | 'tools'> {
  readonly title: string;
  readonly description: string;
  /** Anchor of the glossary entry for the objects. */
  readonly term?: string;
  /** The parent object's page, if there is one. */
  readonly parent?: PageProps['parent'];
  readonly paths: ObjectPaths;
  /** The create button's label, and the permission that creating an object requires. */
  readonly create: { readonly label: string; readonly needs: Right };
  /** Shown above the list; describes a condition that needs attention. */
  readonly notice?: ReactNode;
  /** Alternatives to creating an object, shown before the button. */
  readonly otherActions?: ReactNode;
  /** Shown if there are no objects; explains their purpose. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
  /** Suggested objects, shown below the empty state. */
  readonly emptyFoot?: ReactNode;
}

export function ObjectListPage<Row extends { readonly uuid: string; readonly name: string }>(
  props: ObjectListPageProps<Row>,
) {
  const { title, description, term, parent, paths, create, notice, otherActions, empty, emptyFoot, ...list } = props;
  const button = <ActionButton action={{ ...create, to: paths.new, icon: IconPlus, isPrimary: true }} />;
  return (
    <Page
      title={title}
      description={description}
      term={term}
      parent={parent}
      actions={
        <>
          {otherActions}
          {button}
        </>
      }
      wide
    >
      {notice && <div className={classes.notice}>{notice}</div>}
      <FullList
        {...list}
        nameOf={({ name }) => name}
        empty={
          <>
            <Empty title={empty.title} action={button}>
              {empty.text}
            </Empty>
            {emptyFoot}
          </>
        }
      />
    </Page>
  );
}
