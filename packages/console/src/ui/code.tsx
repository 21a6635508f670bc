// Text for a shell or a file, to be carried elsewhere as a whole.
import classes from './code.module.css';
import { Copy } from './copy.tsx';

export interface CodeProps {
  /** Where it goes: `Shell`, or the name of a file. */
  readonly place: string;
  readonly text: string;
  /** Said by the copy button; the place when absent. */
  readonly what?: string;
  /** Long lines are broken; for values, where every character is to be seen and no line break is meant. */
  readonly wrap?: boolean;
}

export function Code({ place, text, what = place, wrap = false }: CodeProps) {
  return (
    <div className={classes.code}>
      <div className={classes.title}>
        <span>{place}</span>
        <Copy text={text} what={what} />
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard */}
      <pre className={classes.text} data-wrap={wrap || undefined} tabIndex={0} aria-label={what}>
        {text}
      </pre>
    </div>
  );
}
