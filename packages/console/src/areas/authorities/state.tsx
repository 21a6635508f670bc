// How an authority is. Its connector may say more than the platform knows a word for.
import { State, type Tone } from '../../ui/state.tsx';

const states: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  connected: { tone: 'good', word: 'Connected' },
  unavailable: { tone: 'bad', word: 'Does not answer' },
  'unknown to its connector': { tone: 'bad', word: 'Unknown to its connector' },
  'without connector': { tone: 'bad', word: 'Without connector' },
  removing: { tone: 'wait', word: 'Being removed' },
};

export function AuthorityState({ status }: { readonly status: string }) {
  const { tone, word } = states[status] ?? { tone: 'none' as const, word: status };
  return <State tone={tone}>{word}</State>;
}
