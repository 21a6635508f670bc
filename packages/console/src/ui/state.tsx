// Object states, shown by label, shape and color. The tones are in order of importance.
import classes from './state.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'none';

/** One shape per tone, so that states can be distinguished without color. */
const shapes: Readonly<Record<Tone, React.ReactNode>> = {
  good: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warn: <path d="M5 .8 9.600 9H.4z" fill="currentColor" />,
  bad: <path d="M5 .2 9.800 5 5 9.800.2 5z" fill="currentColor" />,
  wait: <circle cx="5" cy="5" r="3.250" fill="none" stroke="currentColor" strokeWidth="1.600" />,
  none: <path d="M1 5h8" stroke="currentColor" strokeWidth="2" />,
};

export function State({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={classes.state} data-tone={tone}>
      <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
        {shapes[tone]}
      </svg>
      <span>{children}</span>
    </span>
  );
}

/** Tones and labels of states, keyed by code. Unknown codes are shown as is. */
export type States<Code extends string> = Readonly<Record<Code, readonly [tone: Tone, word: string]>>;

/** Creates a component for the states of a type of object. */
export function stateOf<Code extends string>(states: States<Code>) {
  return ({ of }: { readonly of: Code }) => {
    const known = Object.hasOwn(states, of) ? states[of] : undefined;
    return <State tone={known?.[0] ?? 'none'}>{known?.[1] ?? of}</State>;
  };
}

/** State of objects that can be disabled. */
export function EnabledState({ enabled }: { readonly enabled: boolean }) {
  return enabled ? <State tone="good">Enabled</State> : <State tone="none">Disabled</State>;
}
