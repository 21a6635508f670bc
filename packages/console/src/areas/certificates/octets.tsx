// Shows bytes as pairs of hex digits. For long values, only the first bytes are shown initially; the rest is shown on
// demand.
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { colonPairs, formatCount } from '../../format/names.ts';
import { Copy } from '../../ui/copy.tsx';
import { breakAtColons } from '../../ui/facts.tsx';
import classes from './octets.module.css';

/** Length of the longest digest, so that digests, which users compare visually, are never collapsed. */
const UNFOLDED = 64;
const SHOWN = 32;

export function Octets({ hex, what }: { readonly hex: string; readonly what: string }) {
  const [isOpen, setOpen] = useState(false);
  const count = Math.ceil(hex.length / 2);
  const isFolded = count > UNFOLDED;
  const pairs = colonPairs(hex);
  const shown = isFolded && !isOpen ? `${pairs.slice(0, SHOWN * 3 - 1)} …` : pairs;
  if (count === 0) return <span className={classes.none}>empty</span>;
  return (
    <span className={classes.octets}>
      <span className={classes.row}>
        <code className={classes.hex}>{breakAtColons(shown)}</code>
        <Copy text={hex} what={what} />
      </span>
      {isFolded && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen((open) => !open)}>
          {isOpen ? 'Show fewer' : `Show all ${formatCount(count)} bytes`}
        </UnstyledButton>
      )}
    </span>
  );
}
