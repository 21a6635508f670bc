// Text for a shell or a file, with a copy button.
import classes from './code.module.css';
import { Copy } from './copy.tsx';
import { Highlighted } from './highlighted.tsx';

export interface CodeProps {
  /** Destination: `Shell`, or a file name. */
  readonly place: string;
  readonly text: string;
  /** Label of the copied text; defaults to the place. */
  readonly what?: string;
  /** Breaks long lines, for values that must be fully visible. */
  readonly wrap?: boolean;
  /** Language for syntax highlighting of source code. */
  readonly language?: string;
}

export function Code({ place, text, what = place, wrap = false, language }: CodeProps) {
  return (
    <div className={classes.code}>
      <div className={classes.title}>
        <span>{place}</span>
        <Copy text={text} what={what} />
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard */}
      <pre className={classes.text} data-wrap={wrap || undefined} tabIndex={0} aria-label={what}>
        {language === undefined ? text : <Highlighted language={language} code={text} />}
      </pre>
    </div>
  );
}
