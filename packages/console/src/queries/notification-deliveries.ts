// Queries for notification deliveries. Pending deliveries are polled.
import type { NotificationDeliveryDetail, NotificationDeliveryState, ResourceEvent } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { DAY_MS } from '../format/dates.ts';
import { readPage } from '../kit/list-search.ts';

export const DELIVERIES_KEY = ['notificationDeliveries'] as const;
export const DELIVERIES_PER_PAGE = 25;
const POLL_MS = 5_000;

export const DELIVERY_STATES: readonly NotificationDeliveryState[] = ['waiting', 'delivered', 'failed'];

/** Length of each period, in milliseconds before now. */
export const DELIVERY_PERIODS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export type DeliveryPeriod = keyof typeof DELIVERY_PERIODS;

export interface DeliverySearch {
  readonly state?: NotificationDeliveryState;
  /** UUID of a notification provider. */
  readonly provider?: string;
  readonly event?: ResourceEvent;
  readonly within?: DeliveryPeriod;
  readonly page?: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Syntax of an API code; the platform validates the code itself. */
const EVENT = /^[a-z_]+$/;

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readDeliverySearch({ page, ...given }: Record<string, unknown>): DeliverySearch {
  const state = DELIVERY_STATES.find((each) => each === given['state']);
  const within = (['day', 'week', 'month'] as const).find((each) => each === given['within']);
  const { event, provider } = given;
  return {
    ...(state && { state }),
    ...(typeof provider === 'string' && UUID.test(provider) && { provider }),
    ...(typeof event === 'string' && EVENT.test(event) && { event: event as ResourceEvent }),
    ...(within && { within }),
    ...readPage(page),
  };
}

/** Deliveries, newest first. */
export const deliveryListQuery = ({ page = 1, ...search }: DeliverySearch) =>
  queryOptions({
    queryKey: [...DELIVERIES_KEY, 'list', search, page],
    queryFn: ({ signal }) => {
      const { state, provider, event, within } = search;
      return api.notificationDeliveries.listNotificationDeliveries(
        {
          query: {
            itemsPerPage: DELIVERIES_PER_PAGE,
            pageNumber: page,
            ...(state && { state }),
            ...(provider && { instanceUuid: provider }),
            ...(event && { event }),
            ...(within && { from: new Date(Date.now() - DELIVERY_PERIODS[within]).toISOString() }),
          },
        },
        { signal },
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.deliveries.some((each) => each.state === 'waiting') === true ? POLL_MS : false,
  });

/** Delivery whose `name` is the title of its page. */
export type NamedDelivery = NotificationDeliveryDetail & { readonly name: string };

export const deliveryQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...DELIVERIES_KEY, 'one', uuid],
    queryFn: async ({ signal }): Promise<NamedDelivery> => {
      const delivery = await api.notificationDeliveries.getNotificationDelivery({ params: { uuid } }, { signal });
      return { ...delivery, name: `Delivery through ${delivery.instanceName}` };
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? POLL_MS : false),
  });
