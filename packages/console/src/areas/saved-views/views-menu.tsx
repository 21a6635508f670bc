// Menu of the user's saved views for a list. It selects a view, and saves, renames or deletes the current view or makes
// it the default.
import { Button, Menu, Text } from '@mantine/core';
import type { SavedSearch, SavedView, SavedViewResource } from '@signetry/contract';
import {
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconPencil,
  IconPlus,
  IconStar,
  IconStarOff,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { savedViewsQuery } from '../../queries/saved-views.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import { NameViewDialog, type NamedView } from './name-view-dialog.tsx';
import classes from './views.module.css';

export interface ViewsMenuProps {
  readonly resource: SavedViewResource;
  /** Label of the unfiltered list, e.g. `All certificates`. */
  readonly everything: string;
  /** Identifier of the selected view; undefined if none is selected. */
  readonly chosen: string | undefined;
  /** Current search of the list. */
  readonly search: SavedSearch;
  /** Returns whether the current search differs from the view. */
  readonly isChanged: (view: SavedView) => boolean;
  /** Called with the view to show, or with undefined to show the whole list. */
  readonly onShow: (view: SavedView | undefined) => void;
}

type Dialog = 'save' | 'rename' | 'delete';

export function ViewsMenu(props: ViewsMenuProps) {
  const { resource, chosen, isChanged } = props;
  const { data: views = [] } = useQuery(savedViewsQuery(resource));
  const [dialog, open] = useState<Dialog>();
  const view = views.find(({ uuid }) => uuid === chosen);
  const change = useViewChange(resource);
  return (
    <>
      <Menu position="bottom-start" width="min(20rem, 92vw)">
        <Menu.Target>
          <Button
            variant="default"
            className={classes.button ?? ''}
            leftSection={<IconBookmark size={16} aria-hidden="true" />}
            rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          >
            {view ? `View: ${view.name}${isChanged(view) ? ' (changed)' : ''}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Choices {...props} views={views} />
          <Menu.Divider />
          <Changes {...props} view={view} change={change} onOpen={open} />
        </Menu.Dropdown>
      </Menu>
      {/* The dialog is rendered outside the menu because the menu closes when a dialog opens. */}
      <Dialogs {...props} view={view} change={change} dialog={dialog} onClose={() => open(undefined)} />
    </>
  );
}

interface ChangesProps extends ViewsMenuProps {
  readonly view: SavedView | undefined;
  readonly change: ReturnType<typeof useViewChange>;
  readonly onOpen: (dialog: Dialog) => void;
}

function Changes({ search, isChanged, view, change, onOpen }: ChangesProps) {
  return (
    <>
      {view && isChanged(view) && (
        <Item icon={IconDeviceFloppy} onClick={() => change.mutate({ view, to: { search } })}>
          Save changes to “{view.name}”
        </Item>
      )}
      <Item icon={IconPlus} onClick={() => onOpen('save')}>
        Save as new view…
      </Item>
      {view && (
        <>
          <Item icon={IconPencil} onClick={() => onOpen('rename')}>
            Rename “{view.name}”…
          </Item>
          <Item
            icon={view.isDefault ? IconStarOff : IconStar}
            onClick={() => change.mutate({ view, to: { isDefault: !view.isDefault } })}
          >
            {view.isDefault ? 'Do not use as default' : 'Set as default'}
          </Item>
          <Item icon={IconTrash} isGrave onClick={() => onOpen('delete')}>
            Delete “{view.name}”…
          </Item>
        </>
      )}
    </>
  );
}

interface DialogsProps extends Omit<ChangesProps, 'onOpen'> {
  readonly dialog: Dialog | undefined;
  readonly onClose: () => void;
}

function Dialogs({ resource, search, view, change, dialog, onShow, onClose }: DialogsProps) {
  const save = async (named: NamedView): Promise<void> => {
    const saved = await api.savedViews.createSavedView({ body: { resource, search, ...named } });
    await change.refresh();
    notify.done(`View “${saved.name}” was saved.`);
    onShow(saved);
  };
  if (dialog === 'save')
    return (
      <NameViewDialog
        title="Save as new view"
        submitLabel="Save"
        name=""
        isDefault={false}
        onClose={onClose}
        save={save}
      />
    );
  if (!view) return null;
  if (dialog === 'rename')
    return (
      <NameViewDialog
        title={`Rename “${view.name}”`}
        submitLabel="Rename"
        name={view.name}
        isDefault={view.isDefault}
        onClose={onClose}
        save={(to) => change.mutateAsync({ view, to })}
      />
    );
  return (
    <Confirm
      opened={dialog === 'delete'}
      onClose={onClose}
      title={`Delete view “${view.name}”?`}
      verb="Delete"
      keep="Keep it"
      grave
      action={async () => {
        await api.savedViews.deleteSavedView({ params: { uuid: view.uuid } });
        await change.refresh();
        notify.done(`View “${view.name}” was deleted.`);
        onShow(undefined);
      }}
    >
      The objects in the list are not affected.
    </Confirm>
  );
}

function Choices({ everything, chosen, isChanged, onShow, views }: ViewsMenuProps & { readonly views: readonly SavedView[] }) {
  return (
    <div className={classes.choices} role="group" aria-label="Views">
      {[undefined, ...views].map((view) => {
        const isChosen = view ? view.uuid === chosen && !isChanged(view) : !views.some(({ uuid }) => uuid === chosen);
        return (
          <Menu.RadioItem
            key={view?.uuid ?? ''}
            value={view?.uuid ?? ''}
            checked={isChosen}
            checkIcon={<IconCheck size={16} aria-hidden="true" />}
            closeMenuOnClick
            rightSection={
              view?.isDefault && (
                <Text size="xs" c="dimmed">
                  default
                </Text>
              )
            }
            onChange={() => onShow(view)}
          >
            {view?.name ?? everything}
          </Menu.RadioItem>
        );
      })}
    </div>
  );
} // prettier-ignore

function Item(props: {
  readonly icon: typeof IconPlus;
  readonly isGrave?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  const { icon: Icon, isGrave = false, onClick, children } = props;
  return (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden="true" />}
      {...(isGrave && { c: 'var(--bad)' })}
      onClick={onClick}
    >
      {children}
    </Menu.Item>
  );
}

interface ViewChange {
  readonly view: SavedView;
  readonly to: Partial<Pick<SavedView, 'name' | 'search' | 'isDefault'>>;
}

function useViewChange(resource: SavedViewResource) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: savedViewsQuery(resource).queryKey });
  const { mutate, mutateAsync } = useMutation({
    mutationFn: async ({ view, to }: ViewChange) => {
      const { uuid, name, search, isDefault } = { ...view, ...to };
      const saved = await api.savedViews.updateSavedView({ params: { uuid }, body: { name, search, isDefault } });
      await refresh();
      notify.done(`View “${saved.name}” was saved.`);
    },
  });
  return {
    refresh,
    mutateAsync,
    mutate: (change: ViewChange) => mutate(change, { onError: notify.failed }),
  };
}
