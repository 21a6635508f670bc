// Displays a trigger as a sentence with emphasized keywords, so that it can be scanned quickly.
import { Fragment } from 'react';
import classes from './workflows.module.css';
import { formatList } from '../evaluations/texts.ts';
import { type Sentence } from './texts.ts';

export function SentenceText({
  of: { when, which, done },
  large,
}: {
  readonly of: Sentence;
  readonly large?: boolean;
}) {
  const [first = '', ...rest] = when.split(' ');
  return (
    <span className={classes.sentence} data-large={large || undefined} dir="auto">
      <b>{first}</b> {rest.join(' ')}
      {which.map((clause, place) => (
        // oxlint-disable-next-line no-array-index-key -- a clause is its place
        <Fragment key={place}>
          {place > 0 && ' and'} <span className={classes.clause}>{clause}</span>
        </Fragment>
      ))}
      , <b>then</b> {done.length === 0 ? 'do nothing' : formatList(done)}.
    </span>
  );
}
