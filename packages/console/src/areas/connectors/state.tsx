// How a connector is, in a few words.
import type { ConnectorStatus } from '@signetry/contract';
import { State, type Tone } from '../../ui/state.tsx';

const states: Readonly<Record<ConnectorStatus, { readonly tone: Tone; readonly word: string }>> = {
  connected: { tone: 'good', word: 'Connected' },
  waitingForApproval: { tone: 'wait', word: 'Waits for approval' },
  failed: { tone: 'bad', word: 'Failed' },
  offline: { tone: 'bad', word: 'Does not answer' },
};

export function ConnectorState({ status }: { readonly status: ConnectorStatus }) {
  const { tone, word } = states[status];
  return <State tone={tone}>{word}</State>;
}
