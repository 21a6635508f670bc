// Rules of keys: what becomes of an item, and what it may be used for. Pure.
import { keyUsageBit, type KeyEvent, type KeyState, type KeyType, type KeyUsage } from '@signetry/contract';
import type { KeyItemRow } from './tables.ts';

/** Public keys verify and encrypt, private keys do the opposite; ECDSA does not encrypt. */
export function possibleUsages({ type, algorithm }: Pick<KeyItemRow, 'type' | 'algorithm'>): readonly KeyUsage[] {
  const ofType = USAGES_OF_TYPE[type];
  return algorithm === 'ECDSA' ? ofType.filter((usage) => usage !== 'encrypt' && usage !== 'decrypt') : ofType;
}

const all = Object.keys(keyUsageBit) as KeyUsage[]; // its own keys

const USAGES_OF_TYPE: Readonly<Record<KeyType, readonly KeyUsage[]>> = {
  Secret: all,
  Split: all,
  Private: ['sign', 'decrypt', 'unwrap'],
  Public: ['verify', 'encrypt', 'wrap'],
};

/** What is left of granted usages for an item of this kind, as it is stored. */
export const possibleMask = (granted: number, item: Pick<KeyItemRow, 'type' | 'algorithm'>): number =>
  possibleUsages(item).reduce((mask, usage) => mask + (granted & keyUsageBit[usage]), 0);

type FromState = Pick<KeyItemRow, 'state'>;

const COMPROMISABLE: readonly KeyState[] = ['pre-active', 'active', 'deactivated'];
const DESTROYABLE: readonly KeyState[] = ['pre-active', 'active', 'deactivated', 'compromised'];

export const canBeCompromised = ({ state }: FromState): boolean => COMPROMISABLE.includes(state);
export const canBeDestroyed = ({ state }: FromState): boolean => DESTROYABLE.includes(state);
export const isDestroyed = ({ state }: FromState): boolean => !canBeDestroyed({ state });

export const stateWhenDestroyed = ({ state }: FromState): KeyState =>
  state === 'compromised' ? 'destroyedCompromised' : 'destroyed';

/** What is done with keys, with the usage that it needs and how the history calls it. */
export const keyUses = {
  sign: { usage: 'sign', event: 'Sign Data' },
  verify: { usage: 'verify', event: 'Verify Data' },
  encrypt: { usage: 'encrypt', event: 'Encrypt Data' },
  decrypt: { usage: 'decrypt', event: 'Decrypt Data' },
} as const satisfies Record<string, { readonly usage: KeyUsage; readonly event: KeyEvent }>;
export type KeyUse = keyof typeof keyUses;

/** Why an item cannot be used, in words; undefined when it can. */
export function whyUnusable(item: Pick<KeyItemRow, 'name' | 'state' | 'enabled' | 'usages'>, use: KeyUse) {
  const { usage } = keyUses[use];
  if (item.state !== 'active') return `The key ${item.name} is ${wordOf[item.state]}; only active keys are used.`;
  if (!item.enabled) return `The key ${item.name} is disabled; enable it first.`;
  if ((item.usages & keyUsageBit[usage]) === 0)
    return `The key ${item.name} may not be used to ${usage}; give it that usage first.`;
  return undefined;
}

/** As people read it. */
export const wordOf: Readonly<Record<KeyState, string>> = {
  'pre-active': 'not active yet',
  active: 'active',
  deactivated: 'deactivated',
  compromised: 'compromised',
  destroyed: 'destroyed',
  destroyedCompromised: 'destroyed, after it was compromised',
};
