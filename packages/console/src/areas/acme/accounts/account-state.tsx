// An account's state, which determines whether it can place orders.
import { State, type Tone } from '../../../ui/state.tsx';
import type { ListedAccount } from '../shapes.ts';

export interface AccountDisplayState {
  readonly tone: Tone;
  readonly word: string;
  readonly meaning: string;
}

export function displayStateOf({ status, enabled }: Pick<ListedAccount, 'status' | 'enabled'>): AccountDisplayState {
  if (status === 'revoked')
    return {
      tone: 'bad',
      word: 'Revoked',
      meaning: 'An administrator revoked this account. The client must register a new one.',
    };
  if (status === 'deactivated')
    return { tone: 'none', word: 'Deactivated', meaning: 'The client deactivated this account.' };
  return enabled
    ? { tone: 'good', word: 'Active', meaning: 'The client can obtain and renew certificates.' }
    : {
        tone: 'warn',
        word: 'Disabled',
        meaning: 'Client requests are rejected until the account is enabled again.',
      };
}

export function AccountState({ account }: { readonly account: Pick<ListedAccount, 'status' | 'enabled'> }) {
  const { tone, word } = displayStateOf(account);
  return <State tone={tone}>{word}</State>;
}
