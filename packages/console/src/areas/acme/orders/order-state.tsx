// How far an order got, in a word.
import type { AcmeOrderStatus } from '@signetry/contract';
import { State, type Tone } from '../../../ui/state.tsx';

export const orderStates: Readonly<Record<AcmeOrderStatus, { readonly tone: Tone; readonly word: string }>> = {
  pending: { tone: 'wait', word: 'Waiting for validation' },
  ready: { tone: 'wait', word: 'Validated' },
  processing: { tone: 'wait', word: 'Being issued' },
  valid: { tone: 'good', word: 'Issued' },
  invalid: { tone: 'bad', word: 'Failed' },
};

export function OrderState({ status }: { readonly status: AcmeOrderStatus }) {
  const { tone, word } = orderStates[status];
  return <State tone={tone}>{word}</State>;
}
