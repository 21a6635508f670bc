// Actions for an object, as buttons. Each asks for confirmation if needed, shows that it is running, and reports its
// result. Actions for which the user has no permission are hidden.
import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Confirm, type ConfirmProps } from '../ui/confirm.tsx';
import { notify } from '../ui/notices.tsx';
import type { Needs } from './rights.ts';
import { useIsMayPending, useMay } from './use-may.ts';

interface ActionBase {
  /** Verb, followed by its object if the verb alone is ambiguous. */
  readonly label: string;
  /** Accessible name, needed if multiple buttons on a page have the same label. */
  readonly name?: string;
  readonly icon?: Icon;
  readonly needs?: Needs;
  /** Whether this is the page's main action. A page has at most one. */
  readonly isPrimary?: boolean;
  /** Whether the action is destructive. */
  readonly isGrave?: boolean;
}

/** Opens a page. */
export interface LinkAction extends ActionBase {
  readonly to: string;
}

/** Performs a change. */
export interface RunAction extends ActionBase {
  readonly run: () => Promise<unknown>;
  /** Notice shown on success. */
  readonly done: string;
  /** Queries to refetch afterwards. */
  readonly refresh: QueryKey;
  /** Confirmation to request before the action runs. */
  readonly ask?: Pick<ConfirmProps, 'title' | 'children' | 'keep'>;
}

/** Opens a dialog that belongs to the action. */
export interface DialogAction extends ActionBase {
  readonly dialog: (dialog: { readonly opened: boolean; readonly onClose: () => void }) => ReactNode;
}

/**
 * Opens a dialog owned by the page. The dialog must outlive the button, which can disappear when the list becomes
 * empty.
 */
export interface OpenAction extends ActionBase {
  readonly open: () => void;
}

/** Shows a disabled button, with the reason as a tooltip. */
export interface DisabledAction extends ActionBase {
  readonly why: string;
}

export type Action = LinkAction | RunAction | DialogAction | OpenAction | DisabledAction;

/** Renders the actions. Falsy entries are skipped, which allows `isEnabled && { … }`. */
export function Actions({
  actions,
  size = 'sm',
}: {
  readonly actions: readonly (Action | false | null | undefined)[];
  readonly size?: ButtonProps['size'];
}) {
  return actions.map((action) => action && <ActionButton key={action.label} action={action} size={size} />);
}

export function ActionButton({
  action,
  size = 'sm',
}: {
  readonly action: Action;
  readonly size?: ButtonProps['size'];
}) {
  const may = useMay();
  const isPending = useIsMayPending();
  if (action.needs && isPending) return <ButtonPlaceholder action={action} size={size} />;
  if (action.needs && !may(action.needs)) return null;
  if ('to' in action)
    return (
      <Button {...buttonPropsOf(action)} size={size} component={Link} to={action.to}>
        {action.label}
      </Button>
    );
  if ('why' in action)
    return (
      <Tooltip label={action.why}>
        <Button {...buttonPropsOf(action)} size={size} data-disabled aria-disabled>
          {action.label}
        </Button>
      </Tooltip>
    );
  if ('open' in action)
    return (
      <Button {...buttonPropsOf(action)} size={size} onClick={action.open}>
        {action.label}
      </Button>
    );
  return 'run' in action ? <RunButton action={action} size={size} /> : <DialogButton action={action} size={size} />;
}

/**
 * Reserves the button's space while permissions are loading, so that the layout does not shift and no button disappears
 * under the pointer.
 */
const ButtonPlaceholder = ({ action, size }: SizedProps<Action>) => (
  <Button {...buttonPropsOf(action)} size={size} style={{ visibility: 'hidden' }}>
    {action.label}
  </Button>
);

interface SizedProps<Kind> {
  readonly action: Kind;
  readonly size: ButtonProps['size'];
}

function RunButton({ action, size }: SizedProps<RunAction>) {
  const { label, run, done, refresh, ask, isGrave = false } = action;
  const [asking, question] = useDisclosure();
  const queries = useQueryClient();
  const runAndRefresh = async (): Promise<void> => {
    await run();
    await queries.invalidateQueries({ queryKey: refresh });
    notify.done(done);
  };
  const mutation = useMutation({ mutationFn: runAndRefresh, onError: notify.failed });
  return (
    <>
      <Button
        {...buttonPropsOf(action)}
        size={size}
        loading={mutation.isPending}
        onClick={ask ? question.open : () => mutation.mutate()}
      >
        {label}
      </Button>
      {ask && (
        <Confirm
          {...ask}
          opened={asking}
          onClose={question.close}
          verb={label}
          grave={isGrave}
          action={runAndRefresh}
        />
      )}
    </>
  );
}

function DialogButton({ action, size }: SizedProps<DialogAction>) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button {...buttonPropsOf(action)} size={size} onClick={dialog.open}>
        {action.label}
      </Button>
      {action.dialog({ opened, onClose: dialog.close })}
    </>
  );
}

const buttonPropsOf = ({ name, icon: Icon, isPrimary = false, isGrave = false }: ActionBase) => ({
  variant: isPrimary ? 'filled' : 'default',
  ...(isGrave && { c: 'var(--bad)' }),
  ...(Icon && { leftSection: <Icon size={16} aria-hidden="true" /> }),
  ...(name !== undefined && { 'aria-label': name }),
});
