// Text for a shell or a file, with a button that copies it.
import classes from './code.module.css';
import { Copy } from './copy.tsx';
import { Highlighted } from './highlighted.tsx';

export interface CodeProps {
  /** Where it goes: `Shell`, or the name of a file. */
  readonly place: string;
  readonly text: string;
  /** Named by the copy button; the place when absent. */
  readonly what?: string;
  /** Breaks long lines; for values, of which every character must be seen. */
  readonly wrap?: boolean;
  /** Of source code, which is shown with colours. */
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
