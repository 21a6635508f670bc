// Queries of deliveries of notifications. Those that wait change by themselves.
import type { NotificationDeliveryDetail, NotificationDeliveryState } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { readPage } from '../kit/list-search.ts';

export const DELIVERIES_KEY = ['notificationDeliveries'] as const;
export const DELIVERIES_PER_PAGE = 25;
const POLL_MS = 5_000;

export const DELIVERY_STATES: readonly NotificationDeliveryState[] = ['waiting', 'delivered', 'failed'];

export interface DeliverySearch {
  readonly state?: NotificationDeliveryState;
  readonly page?: number;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export function readDeliverySearch({ state, page }: Record<string, unknown>): DeliverySearch {
  const known = DELIVERY_STATES.find((each) => each === state);
  return { ...(known && { state: known }), ...readPage(page) };
}

/** The latest first. */
export const deliveryListQuery = ({ state, page = 1 }: DeliverySearch) =>
  queryOptions({
    queryKey: [...DELIVERIES_KEY, 'list', state, page],
    queryFn: ({ signal }) =>
      api.notificationDeliveries.listNotificationDeliveries(
        { query: { itemsPerPage: DELIVERIES_PER_PAGE, pageNumber: page, ...(state && { state }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some((each) => each.state === 'waiting') === true ? POLL_MS : false,
  });

/** Under the name that its page shows. */
export type ShownDelivery = NotificationDeliveryDetail & { readonly name: string };

export const deliveryQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...DELIVERIES_KEY, 'one', uuid],
    queryFn: async ({ signal }): Promise<ShownDelivery> => {
      const delivery = await api.notificationDeliveries.getNotificationDelivery({ params: { uuid } }, { signal });
      return { ...delivery, name: `Delivery through ${delivery.instanceName}` };
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? POLL_MS : false),
  });
