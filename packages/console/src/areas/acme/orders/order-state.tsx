// The state of an order.
import type { AcmeOrderStatus } from '@signetry/contract';
import { stateOf, type States } from '../../../ui/state.tsx';

export const orderStates: States<AcmeOrderStatus> = {
  pending: ['wait', 'Waiting for validation'],
  ready: ['wait', 'Validated'],
  processing: ['wait', 'Being issued'],
  valid: ['good', 'Issued'],
  invalid: ['bad', 'Failed'],
};

export const OrderState = stateOf(orderStates);
