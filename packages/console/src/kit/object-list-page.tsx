// The page that lists the objects of an area, with a button that creates one.
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../ui/outcomes.tsx';
import { Page, type PageProps } from '../ui/page.tsx';
import classes from './list.module.css';
import { ActionButton } from './actions.tsx';
import type { ObjectPaths } from './paths.ts';
import type { Right } from './rights.ts';
import { WholeList, type WholeListProps } from './whole-list.tsx';

export interface ObjectListPageProps<Row> extends Omit<WholeListProps<Row>, 'nameOf' | 'empty' | 'tools'> {
  readonly title: string;
  readonly description: string;
  /** What they belong to, where that is one object. */
  readonly parent?: PageProps['parent'];
  readonly paths: ObjectPaths;
  /** The button that creates one, and the permission for it. */
  readonly create: { readonly label: string; readonly needs: Right };
  /** Above the list: what somebody should do about it. */
  readonly notice?: ReactNode;
  /** Other ways to have one, before the button. */
  readonly otherActions?: ReactNode;
  /** Shown where there are none: what they are for. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
  /** Below it: objects to begin with. */
  readonly emptyFoot?: ReactNode;
}

export function ObjectListPage<Row extends { readonly uuid: string; readonly name: string }>(
  props: ObjectListPageProps<Row>,
) {
  const { title, description, parent, paths, create, notice, otherActions, empty, emptyFoot, ...list } = props;
  const button = <ActionButton action={{ ...create, to: paths.new, icon: IconPlus, isPrimary: true }} />;
  return (
    <Page
      title={title}
      description={description}
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
      <WholeList
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
