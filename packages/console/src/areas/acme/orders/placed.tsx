// When an order was placed and, while it is open, when it expires.
import { Text } from '@mantine/core';
import { formatDateTime, formatRelative } from '../../../format/dates.ts';
import type { Order } from '../shapes.ts';
import classes from './orders.module.css';

export function Placed({ order: { createdAt, expiresAt, status } }: { readonly order: Order }) {
  return (
    <>
      <span title={formatDateTime(createdAt)}>{formatRelative(createdAt)}</span>
      {(status === 'pending' || status === 'ready') && (
        <Text size="xs" c="dimmed" className={classes.until} title={formatDateTime(expiresAt)}>
          expires {formatRelative(expiresAt)}
        </Text>
      )}
    </>
  );
}
