// Button for a single action that shows whether the action is allowed (and by what) or denied. The state is indicated
// by shape as well as by color.
import { memo } from 'react';
import classes from './permissions.module.css';

/** `own` means that the role grants the action here; `given` means that a broader permission grants it. */
export type ChipState = 'own' | 'given' | 'denied' | 'none';

const shapes: Readonly<Record<ChipState, React.ReactNode>> = {
  own: <path d="M2 6.300 4.800 9 10 3.200" />,
  given: <path d="M2 6.300 4.800 9 10 3.200" strokeDasharray="1.800 1.600" />,
  denied: <path d="M2.500 2.500l7 7M9.500 2.500l-7 7" />,
  none: <circle cx="6" cy="6" r="3.200" strokeWidth="1" />,
};

export const ChipShape = ({ state }: { readonly state: ChipState }) => (
  <svg
    viewBox="0 0 12 12"
    width="12"
    height="12"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    aria-hidden="true"
  >
    {shapes[state]}
  </svg>
);

export interface ActionChipProps {
  readonly label: string;
  readonly state: ChipState;
  /** Accessible name: the action, the object and its state. */
  readonly name: string;
  /** Tooltip: the meaning of the action. */
  readonly title?: string | undefined;
  /** Set if the action can only be allowed or not allowed, so that screen readers announce a checkbox. */
  readonly checked?: boolean;
  readonly isFixed?: boolean;
  /** Passed to `onPress`, so that the rows can share a handler and unchanged rows are not rendered again. */
  readonly action: string;
  readonly onPress: (action: string) => void;
}

/** A fixed chip ignores presses but can still receive keyboard focus, because its name states why it is fixed. */
export const ActionChip = memo(function ActionChip(props: ActionChipProps) {
  const { label, state, name, title, checked, isFixed = false, action, onPress } = props;
  return (
    <button
      type="button"
      className={classes.chip}
      data-state={state}
      title={title}
      aria-label={name}
      {...(checked !== undefined && { role: 'checkbox', 'aria-checked': checked })}
      aria-disabled={isFixed || undefined}
      onClick={isFixed ? undefined : () => onPress(action)}
    >
      <ChipShape state={state} />
      <span>{label}</span>
    </button>
  );
});
