// Notifications that were sent or are waiting to be sent through notification providers, newest first.
import { Button } from '@mantine/core';
import type { NotificationDelivery } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useNewSearch, useSearchChange } from '../../kit/use-list-search.ts';
import { DELIVERIES_PER_PAGE, deliveryListQuery, type DeliverySearch } from '../../queries/notification-deliveries.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { describeEvent } from '../notifications/texts.ts';
import { Filters } from './filters.tsx';
import { DeliveryState } from './state.tsx';

const columns: readonly Column<NotificationDelivery>[] = [
  {
    key: 'event',
    title: 'Event',
    cell: ({ uuid, event, instanceName, problem }) => (
      <ObjectLink
        to={paths.notificationDeliveries.one(uuid)}
        name={describeEvent(event)}
        detail={problem ?? `through ${instanceName}`}
      />
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <DeliveryState of={state} /> },
  { key: 'provider', title: 'Provider', minor: true, cell: ({ instanceName }) => instanceName },
  { key: 'profile', title: 'Profile', minor: true, cell: ({ profileName }) => profileName },
  {
    key: 'raised',
    title: 'Event time',
    cell: ({ raisedAt }) => <span title={formatDateTime(raisedAt)}>{formatRelative(raisedAt)}</span>,
  },
];

export function DeliveryListPage() {
  const search: DeliverySearch = useSearch({ strict: false });
  const change = useSearchChange<DeliverySearch>();
  const replace = useNewSearch<DeliverySearch>();
  const { page = 1, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Deliveries"
      description="Notifications that notification profiles sent through providers, and their status."
      wide
    >
      <PagedList
        query={useQuery(deliveryListQuery(search))}
        what="deliveries"
        label="Deliveries"
        rowsOf={({ deliveries }) => deliveries}
        columns={columns}
        nameOf={({ event }) => describeEvent(event)}
        page={page}
        size={DELIVERIES_PER_PAGE}
        onPage={(next) => change({ page: next })}
        tools={<Filters search={search} onChange={change} />}
        empty={
          isFiltered ? (
            <Empty
              title="No deliveries found"
              action={
                <Button variant="default" onClick={() => replace({})}>
                  Clear filters
                </Button>
              }
            >
              No delivery matches the filters. Older deliveries may have been deleted.
            </Empty>
          ) : (
            <Empty title="No deliveries yet">
              Notifications that are sent through a provider are listed here until their retention period ends.
            </Empty>
          )
        }
      />
    </Page>
  );
}
