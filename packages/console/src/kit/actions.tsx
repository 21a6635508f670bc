// What can be done with an object, as buttons: each asks for confirmation where needed, is busy while it runs, and says
// how it ended. What the user may not do is not offered.
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

interface Offered {
  /** A verb, with its object where there is doubt. */
  readonly label: string;
  /** Read aloud instead of the label, where several buttons on a page have the same one. */
  readonly name?: string;
  readonly icon?: Icon;
  readonly needs?: Needs;
  /** The main action of the page; one at most. */
  readonly isPrimary?: boolean;
  /** Takes something away. */
  readonly isGrave?: boolean;
}

/** Opens a page. */
export interface LinkAction extends Offered {
  readonly to: string;
}

/** Changes something. */
export interface RunAction extends Offered {
  readonly run: () => Promise<unknown>;
  /** The notice once it is done. */
  readonly done: string;
  /** Queries that are fetched again afterwards. */
  readonly refresh: QueryKey;
  /** Confirmation before it runs. */
  readonly ask?: Pick<ConfirmProps, 'title' | 'children' | 'keep'>;
}

/** Opens a dialog of its own. */
export interface DialogAction extends Offered {
  readonly dialog: (dialog: { readonly opened: boolean; readonly onClose: () => void }) => ReactNode;
}

/** Opens what the page holds: a dialog that must outlast the button, which may go with an empty list. */
export interface OpenAction extends Offered {
  readonly open: () => void;
}

/** Cannot be done here, and says why. */
export interface ImpossibleAction extends Offered {
  readonly why: string;
}

export type Action = LinkAction | RunAction | DialogAction | OpenAction | ImpossibleAction;

/** Actions that are false are left out: `isEnabled && { … }`. */
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
  if (action.needs && isPending) return <KeptPlace action={action} size={size} />;
  if (action.needs && !may(action.needs)) return null;
  if ('to' in action)
    return (
      <Button {...looksOf(action)} size={size} component={Link} to={action.to}>
        {action.label}
      </Button>
    );
  if ('why' in action)
    return (
      <Tooltip label={action.why}>
        <Button {...looksOf(action)} size={size} data-disabled aria-disabled>
          {action.label}
        </Button>
      </Tooltip>
    );
  if ('open' in action)
    return (
      <Button {...looksOf(action)} size={size} onClick={action.open}>
        {action.label}
      </Button>
    );
  return 'run' in action ? <RunButton action={action} size={size} /> : <DialogButton action={action} size={size} />;
}

/** As large as the button that may come: one that went again would be pressed, one that came late would move others. */
const KeptPlace = ({ action, size }: SizedProps<Action>) => (
  <Button {...looksOf(action)} size={size} style={{ visibility: 'hidden' }}>
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
  const work = async (): Promise<void> => {
    await run();
    await queries.invalidateQueries({ queryKey: refresh });
    notify.done(done);
  };
  const mutation = useMutation({ mutationFn: work, onError: notify.failed });
  return (
    <>
      <Button
        {...looksOf(action)}
        size={size}
        loading={mutation.isPending}
        onClick={ask ? question.open : () => mutation.mutate()}
      >
        {label}
      </Button>
      {ask && <Confirm {...ask} opened={asking} onClose={question.close} verb={label} grave={isGrave} action={work} />}
    </>
  );
}

function DialogButton({ action, size }: SizedProps<DialogAction>) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button {...looksOf(action)} size={size} onClick={dialog.open}>
        {action.label}
      </Button>
      {action.dialog({ opened, onClose: dialog.close })}
    </>
  );
}

const looksOf = ({ name, icon: Icon, isPrimary = false, isGrave = false }: Offered) => ({
  variant: isPrimary ? 'filled' : 'default',
  ...(isGrave && { c: 'var(--bad)' }),
  ...(Icon && { leftSection: <Icon size={16} aria-hidden="true" /> }),
  ...(name !== undefined && { 'aria-label': name }),
});
