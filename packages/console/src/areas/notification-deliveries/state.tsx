// The state of a delivery.
import type { NotificationDeliveryState } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const deliveryTexts: Readonly<Record<NotificationDeliveryState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

export const DeliveryState = stateOf<NotificationDeliveryState>({
  waiting: ['wait', deliveryTexts.waiting],
  delivered: ['good', deliveryTexts.delivered],
  failed: ['bad', deliveryTexts.failed],
});
