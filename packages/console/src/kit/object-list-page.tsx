// The page that lists the objects of an area, with a button that creates one.
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../ui/outcomes.tsx';
import { Page } from '../ui/page.tsx';
import { ActionButton } from './actions.tsx';
import type { ObjectPaths } from './paths.ts';
import type { Right } from './rights.ts';
import { WholeList, type WholeListProps } from './whole-list.tsx';

export interface ObjectListPageProps<Row> extends Omit<WholeListProps<Row>, 'nameOf' | 'empty' | 'tools'> {
  readonly title: string;
  readonly description: string;
  readonly paths: ObjectPaths;
  /** The button that creates one, and the permission for it. */
  readonly create: { readonly label: string; readonly needs: Right };
  /** Other ways to have one, before the button. */
  readonly otherActions?: ReactNode;
  /** Shown where there are none: what they are for. */
  readonly empty: { readonly title: string; readonly text: ReactNode };
}

export function ObjectListPage<Row extends { readonly uuid: string; readonly name: string }>(
  props: ObjectListPageProps<Row>,
) {
  const { title, description, paths, create, otherActions, empty, ...list } = props;
  const button = <ActionButton action={{ ...create, to: paths.new, icon: IconPlus, isPrimary: true }} />;
  return (
    <Page
      title={title}
      description={description}
      actions={
        <>
          {otherActions}
          {button}
        </>
      }
      wide
    >
      <WholeList
        {...list}
        nameOf={({ name }) => name}
        empty={
          <Empty title={empty.title} action={button}>
            {empty.text}
          </Empty>
        }
      />
    </Page>
  );
}
