// May an account order, in a word?
import { State, type Tone } from '../../../ui/state.tsx';
import type { ListedAccount } from '../shapes.ts';

export interface AccountVerdict {
  readonly tone: Tone;
  readonly word: string;
  readonly meaning: string;
}

export function accountVerdict({ status, enabled }: Pick<ListedAccount, 'status' | 'enabled'>): AccountVerdict {
  if (status === 'revoked')
    return {
      tone: 'bad',
      word: 'Revoked',
      meaning: 'An administrator ended this account. Its client makes a new one.',
    };
  if (status === 'deactivated')
    return { tone: 'none', word: 'Closed by its client', meaning: 'The client ended this account itself.' };
  return enabled
    ? { tone: 'good', word: 'May order', meaning: 'Its client gets and renews certificates.' }
    : { tone: 'warn', word: 'Disabled', meaning: 'Its client is refused until the account is enabled again.' };
}

export function AccountState({ account }: { readonly account: Pick<ListedAccount, 'status' | 'enabled'> }) {
  const { tone, word } = accountVerdict(account);
  return <State tone={tone}>{word}</State>;
}
