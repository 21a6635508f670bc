// The orders of a profile, or of one account, the newest first.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PagedList } from '../../../kit/paged-list.tsx';
import { paths } from '../../../kit/paths.ts';
import { useSearchChange } from '../../../kit/use-list-search.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { ORDERS_PER_PAGE, ordersQuery } from '../../../queries/acme.ts';
import type { Order } from '../shapes.ts';
import type { OrderSearch } from '../../../queries/order-search.ts';
import { OrderState } from './order-state.tsx';
import { OrderedNames, titleOfOrder } from './ordered-names.tsx';
import classes from './orders.module.css';
import { Placed } from './placed.tsx';
import { StatusFilter } from './status-filter.tsx';

export interface OrderListProps {
  readonly profileUuid: string;
  /** Orders of this account only. */
  readonly accountUuid?: string;
  /** From the URL. */
  readonly search: OrderSearch;
  /** Shown where there are no orders at all. */
  readonly empty: ReactNode;
}

export function OrderList({ profileUuid, accountUuid, search, empty }: OrderListProps) {
  const { status, page = 1 } = search;
  const orders = useQuery(ordersQuery(profileUuid, search, accountUuid));
  const change = useSearchChange<OrderSearch>();
  if (orders.data?.totalItems === 0 && status === undefined) return <Panel>{empty}</Panel>;
  return (
    <PagedList
      query={orders}
      what="orders"
      label="Orders"
      rowsOf={(answer) => answer.orders}
      columns={accountUuid === undefined ? [...usual, accountColumn(profileUuid), placed] : [...usual, placed]}
      nameOf={titleOfOrder}
      page={page}
      size={ORDERS_PER_PAGE}
      onPage={(next) => change({ page: next })}
      tools={<StatusFilter status={status} onChange={(next) => change({ status: next })} />}
      empty={
        <Empty
          title="No order is in this state"
          action={
            <Button variant="default" onClick={() => change({ status: undefined })}>
              Show all orders
            </Button>
          }
        />
      }
    />
  );
}

const usual: readonly Column<Order>[] = [
  { key: 'names', title: 'Names', cell: (order) => <OrderedNames order={order} /> },
  { key: 'state', title: 'State', cell: ({ status }) => <OrderState of={status} /> },
];

const accountColumn = (profileUuid: string): Column<Order> => ({
  key: 'account',
  title: 'Account',
  minor: true,
  cell: ({ accountUuid, accountId }) => (
    <span className={classes.account}>
      <TextLink to={paths.acme.account(profileUuid, accountUuid)}>{accountId}</TextLink>
    </span>
  ),
});

const placed: Column<Order> = {
  key: 'placed',
  title: 'Placed',
  minor: true,
  cell: (order) => <Placed order={order} />,
};
