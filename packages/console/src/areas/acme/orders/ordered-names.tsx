// The names of an order, with the reason if it failed. On narrow screens also when it was placed.
import { Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useMayList } from '../../../api/session.ts';
import { formatCount } from '../../../format/names.ts';
import { paths } from '../../../kit/paths.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import type { Order } from '../shapes.ts';
import classes from './orders.module.css';
import { Placed } from './placed.tsx';

/** The rest is collapsed: an order may have a hundred names. */
const SHOWN = 3;

export const titleOfOrder = ({ names }: Order): string => names.join(', ');

export function OrderedNames({ order }: { readonly order: Order }) {
  const { names, certificateUuid, error } = order;
  const [isOpen, setOpen] = useState(false);
  const mayList = useMayList();
  const shown = isOpen ? names : names.slice(0, SHOWN);
  const left = names.length - shown.length;
  const title = shown.join(', ');
  return (
    <div className={classes.order}>
      {certificateUuid !== undefined && mayList('certificates') ? (
        <ObjectLink to={paths.certificates.one(certificateUuid)} name={title} />
      ) : (
        <span className={classes.names}>{title}</span>
      )}
      {left > 0 && (
        <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
          and {formatCount(left)} more
        </UnstyledButton>
      )}
      {error !== undefined && (
        <Text size="xs" className={classes.reason}>
          {error}
        </Text>
      )}
      <div className={classes.placed}>
        <Placed order={order} />
      </div>
    </div>
  );
}
