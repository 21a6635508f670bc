// Can an account be made with a key, in a word?
import type { AcmeEabKeyState } from '@signetry/contract';
import { State, type Tone } from '../../../ui/state.tsx';

const states: Readonly<Record<AcmeEabKeyState, { readonly tone: Tone; readonly word: string }>> = {
  usable: { tone: 'good', word: 'Usable' },
  used: { tone: 'none', word: 'Used' },
  expired: { tone: 'warn', word: 'Expired' },
  revoked: { tone: 'bad', word: 'Revoked' },
};

export function KeyState({ state }: { readonly state: AcmeEabKeyState }) {
  const { tone, word } = states[state];
  return <State tone={tone}>{word}</State>;
}
