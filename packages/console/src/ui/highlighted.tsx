// Source code with syntax highlighting.
import { Fragment } from 'react';
import { tokensOf } from './highlight.ts';
import classes from './highlighted.module.css';

export function Highlighted({ language, code }: { readonly language: string; readonly code: string }) {
  return tokensOf(language, code).map(({ kind, text }, place) =>
    kind === 'plain' ? (
      // oxlint-disable-next-line no-array-index-key -- a piece is its place
      <Fragment key={place}>{text}</Fragment>
    ) : (
      // oxlint-disable-next-line no-array-index-key -- a piece is its place
      <span key={place} className={classes.token} data-kind={kind}>
        {text}
      </span>
    ),
  );
}
