// Names and values, one below the other. Values that are needed elsewhere can be copied.
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Fixed-width type, for numbers and codes. */
  readonly code?: boolean;
  /** What the copy button copies. */
  readonly copy?: string;
}

/** Facts without a value are left out. */
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
            <span>{value}</span>
            {copy !== undefined && <Copy text={copy} what={name} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
