// Names and values, one below the other. Values that are needed elsewhere have a copy button.
import { Fragment, type ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Monospace font, for numbers and codes. */
  readonly code?: boolean;
  /** Text that the copy button copies. */
  readonly copy?: string;
}

/** Facts without a value are omitted. */
export function Facts({ facts }: { readonly facts: readonly (Fact | undefined)[] }) {
  const shown = facts.filter(
    (fact): fact is Fact => fact !== undefined && fact.value !== undefined && fact.value !== '',
  );
  return (
    <dl className={classes.facts}>
      {shown.map(({ name, value, code, copy }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd data-code={code ? true : undefined}>
            <span>{code && typeof value === 'string' ? breakAtColons(value) : value}</span>
            {copy !== undefined && <Copy text={copy} what={name} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Allows line breaks only at colons, because hexadecimal numbers are compared byte by byte. */
export const breakAtColons = (text: string): ReactNode =>
  text.split(/(?<=:)/).map((pair, place) => (
    // oxlint-disable-next-line no-array-index-key -- a pair is its place
    <Fragment key={place}>
      {pair}
      <wbr />
    </Fragment>
  ));
