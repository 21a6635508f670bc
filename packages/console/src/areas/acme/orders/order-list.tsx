// What clients asked for and what became of it: all orders of a profile, or those of one account. The newest come first.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paths } from '../../../paths.ts';
import { Empty, Failure, Loading } from '../../../ui/outcomes.tsx';
import { PageFoot } from '../../../ui/page-foot.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Table, type Column } from '../../../ui/table.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { ORDERS_PER_PAGE, ordersQuery } from '../queries.ts';
import type { Order } from '../shapes.ts';
import type { OrderSearch } from './order-search.ts';
import { OrderState } from './order-state.tsx';
import { OrderedNames, titleOfOrder } from './ordered-names.tsx';
import classes from './orders.module.css';
import { Placed } from './placed.tsx';
import { StatusFilter } from './status-filter.tsx';

export interface OrderListProps {
  readonly profileUuid: string;
  /** Orders of this account only. */
  readonly accountUuid?: string;
  readonly search: OrderSearch;
  readonly onSearch: (search: OrderSearch) => void;
  /** Stands where nothing was ordered at all. */
  readonly empty: ReactNode;
}

export function OrderList({ profileUuid, accountUuid, search, onSearch, empty }: OrderListProps) {
  const { status, page = 1 } = search;
  const { data, error, isPlaceholderData, refetch } = useQuery(ordersQuery(profileUuid, search, accountUuid));
  if (error && !data) {
    return (
      <Panel>
        <Failure error={error} retry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel>
        <Loading what="orders" />
      </Panel>
    );
  }
  if (data.totalItems === 0 && status === undefined) return <Panel>{empty}</Panel>;
  /** Another state begins at its first page. */
  const filter = (next: OrderSearch['status']): void => onSearch(next === undefined ? {} : { status: next });
  const turn = (next: number): void => onSearch({ ...search, page: next });
  return (
    <Panel flush>
      <div className={classes.tools}>
        <StatusFilter status={status} onChange={filter} />
      </div>
      {data.totalItems === 0 ? (
        <Empty
          title="No order is in this state"
          action={
            <Button variant="default" onClick={() => filter(undefined)}>
              Show all orders
            </Button>
          }
        />
      ) : data.orders.length === 0 ? (
        <Empty
          title="The list ends before this page"
          action={
            <Button variant="default" onClick={() => turn(1)}>
              Show the newest
            </Button>
          }
        />
      ) : (
        <>
          <Table
            label="Orders"
            columns={accountUuid === undefined ? [...usual, accountColumn(profileUuid), placed] : [...usual, placed]}
            rows={data.orders}
            keyOf={({ uuid }) => uuid}
            nameOf={titleOfOrder}
            stale={isPlaceholderData}
          />
          <PageFoot {...data} page={page} size={ORDERS_PER_PAGE} onPage={turn} />
        </>
      )}
    </Panel>
  );
}

const usual: readonly Column<Order>[] = [
  { key: 'names', title: 'Ordered for', cell: (order) => <OrderedNames order={order} /> },
  { key: 'state', title: 'State', cell: ({ status }) => <OrderState status={status} /> },
];

const accountColumn = (profileUuid: string): Column<Order> => ({
  key: 'account',
  title: 'Account',
  minor: true,
  cell: ({ accountUuid, accountId }) => (
    <span className={classes.account}>
      <TextLink to={paths.acmeAccount(profileUuid, accountUuid)}>{accountId}</TextLink>
    </span>
  ),
});

const placed: Column<Order> = {
  key: 'placed',
  title: 'Placed',
  minor: true,
  cell: (order) => <Placed order={order} />,
};
