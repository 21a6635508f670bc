// Orders of a profile or of one account, newest first.
import { Button, Chip, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AcmeOrderStatus } from '@signetry/contract';
import { PagedList } from '../../../kit/paged-list.tsx';
import { paths } from '../../../kit/paths.ts';
import { useSearchChange } from '../../../kit/use-list-search.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { ORDERS_PER_PAGE, ordersQuery } from '../../../queries/acme.ts';
import { ORDER_STATUSES, type OrderSearch } from '../../../queries/order-search.ts';
import { useMayList } from '../../../api/session.ts';
import { FoldedNames } from '../../../ui/folded-names.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { formatDateTime, formatRelative } from '../../../format/dates.ts';
import { stateOf, type States } from '../../../ui/state.tsx';
import type { Order } from '../shapes.ts';
import classes from './orders.module.css';

export interface OrderListProps {
  readonly profileUuid: string;
  /** If present, only this account's orders are shown. */
  readonly accountUuid?: string;
  /** Search parameters from the URL. */
  readonly search: OrderSearch;
  /** Shown if there are no orders at all. */
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
          title="No orders in this state"
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
  cell: (order) => <OrderDates order={order} />,
};

/**
 * Title of an order: the names in it. `OrderedNames` also shows the profile that it selected and, if it failed, the
 * reason. Narrow screens also show when it was placed.
 */
const titleOfOrder = ({ names }: Order): string => names.join(', ');

function OrderedNames({ order }: { readonly order: Order }) {
  const { names, profile, certificateUuid, error } = order;
  const mayList = useMayList();
  const isLinked = certificateUuid !== undefined && mayList('certificates');
  return (
    <div className={classes.order}>
      <FoldedNames
        names={names}
        {...(isLinked && {
          draw: (title: string) => <ObjectLink to={paths.certificates.one(certificateUuid)} name={title} />,
        })}
      />
      {profile !== undefined && (
        <Text size="xs" c="dimmed" className={classes.profile}>
          Profile: {profile}
        </Text>
      )}
      {error !== undefined && (
        <Text size="xs" className={classes.reason}>
          {error}
        </Text>
      )}
      <div className={classes.placed}>
        <OrderDates order={order} />
      </div>
    </div>
  );
}

/** Shows when an order was placed and, while it is open, when it expires. */
function OrderDates({ order: { createdAt, expiresAt, status } }: { readonly order: Order }) {
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

/** Filter value that shows orders in any state. */
const ALL = 'all';

interface StatusFilterProps {
  readonly status: AcmeOrderStatus | undefined;
  readonly onChange: (status: AcmeOrderStatus | undefined) => void;
}

function StatusFilter({ status, onChange }: StatusFilterProps) {
  const options = [
    { value: ALL, label: 'All' },
    ...ORDER_STATUSES.map((value) => ({ value, label: orderStates[value][1] })),
  ];
  return (
    <Chip.Group value={status ?? ALL} onChange={(value) => onChange(ORDER_STATUSES.find((each) => each === value))}>
      <Group gap="xs" role="radiogroup" aria-label="Order state">
        {options.map(({ value, label }) => (
          <Chip key={value} value={value} size="xs" variant="outline">
            {label}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

const orderStates: States<AcmeOrderStatus> = {
  pending: ['wait', 'Waiting for validation'],
  ready: ['wait', 'Validated'],
  processing: ['wait', 'Being issued'],
  valid: ['good', 'Issued'],
  invalid: ['bad', 'Failed'],
};

const OrderState = stateOf(orderStates);
