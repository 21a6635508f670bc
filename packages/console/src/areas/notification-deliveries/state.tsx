// The state of a delivery.
import type { NotificationDeliveryState } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const deliveryWords: Readonly<Record<NotificationDeliveryState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

export const DeliveryState = stateOf<NotificationDeliveryState>({
  waiting: ['wait', deliveryWords.waiting],
  delivered: ['good', deliveryWords.delivered],
  failed: ['bad', deliveryWords.failed],
});
