// Rules for key items: state changes and possible usages. Pure.
import { keyUsageBit, type KeyEvent, type KeyState, type KeyType, type KeyUsage } from '@signetry/contract';
import type { KeyItemRow, KeyRow } from './tables.ts';

/**
 * Returns the possible usages. Public keys verify, encrypt and wrap; private keys perform the inverse operations. ECDSA
 * keys neither encrypt nor decrypt.
 */
export function possibleUsages({ type, algorithm }: Pick<KeyItemRow, 'type' | 'algorithm'>): readonly KeyUsage[] {
  const ofType = USAGES_OF_TYPE[type];
  return algorithm === 'ECDSA' ? ofType.filter((usage) => usage !== 'encrypt' && usage !== 'decrypt') : ofType;
}

// `Object.keys` returns strings, but the object has only these keys.
const all = Object.keys(keyUsageBit) as KeyUsage[];

const USAGES_OF_TYPE: Readonly<Record<KeyType, readonly KeyUsage[]>> = {
  Secret: all,
  Split: all,
  Private: ['sign', 'decrypt', 'unwrap'],
  Public: ['verify', 'encrypt', 'wrap'],
};

/** Returns, as a stored mask, the granted usages that an item of this kind supports. */
export const possibleMask = (granted: number, item: Pick<KeyItemRow, 'type' | 'algorithm'>): number =>
  possibleUsages(item).reduce((mask, usage) => mask + (granted & keyUsageBit[usage]), 0);

type KeyStateRow = Pick<KeyItemRow, 'state'>;

const COMPROMISABLE: readonly KeyState[] = ['pre-active', 'active', 'deactivated'];
const DESTROYABLE: readonly KeyState[] = ['pre-active', 'active', 'deactivated', 'compromised'];

export const canBeCompromised = ({ state }: KeyStateRow): boolean => COMPROMISABLE.includes(state);
export const canBeDestroyed = ({ state }: KeyStateRow): boolean => DESTROYABLE.includes(state);
export const isDestroyed = ({ state }: KeyStateRow): boolean => !canBeDestroyed({ state });

export const stateWhenDestroyed = ({ state }: KeyStateRow): KeyState =>
  state === 'compromised' ? 'destroyedCompromised' : 'destroyed';

/** Key operations, each with the required usage and the event for the key history. */
export const keyUses = {
  sign: { usage: 'sign', event: 'Sign Data' },
  verify: { usage: 'verify', event: 'Verify Data' },
  encrypt: { usage: 'encrypt', event: 'Encrypt Data' },
  decrypt: { usage: 'decrypt', event: 'Decrypt Data' },
} as const satisfies Record<string, { readonly usage: KeyUsage; readonly event: KeyEvent }>;
export type KeyUse = keyof typeof keyUses;

/** Returns why an item cannot be used, or undefined if it can. */
export function problemOfUse(
  item: Pick<KeyItemRow, 'name' | 'state' | 'enabled' | 'usages'>,
  use: KeyUse,
): string | undefined {
  const { usage } = keyUses[use];
  const isGiven = (item.usages & keyUsageBit[usage]) !== 0;
  return (
    problemOfState(item) ??
    (isGiven ? undefined : `The key ${item.name} is not permitted to ${usage}; add that usage first.`)
  );
}

/** Returns why an item cannot be used for anything, or undefined if its state permits it. */
export function problemOfState({
  name,
  state,
  enabled,
}: Pick<KeyItemRow, 'name' | 'state' | 'enabled'>): string | undefined {
  if (state !== 'active') return `The key ${name} is ${stateTexts[state]}; only active keys can be used.`;
  return enabled ? undefined : `The key ${name} is disabled; enable it first.`;
}

/** Returns why a key pair cannot sign for other areas, or undefined if it can. Both halves are required. */
export function problemOfSigning(key: KeyRow, items: readonly KeyItemRow[], profileUuid?: string): string | undefined {
  if (key.token_uuid === null) return `The key ${key.name} is not in a token.`;
  if (profileUuid !== undefined && key.token_profile_uuid !== profileUuid.toLowerCase())
    return `The key ${key.name} does not belong to this token profile.`;
  if (key.token_profile_uuid === null) return `The key ${key.name} has no token profile; assign one first.`;
  const problems = items.map((item) => (item.type === 'Private' ? problemOfUse(item, 'sign') : problemOfState(item)));
  return problems.find((problem) => problem !== undefined);
}

/** Display text for each state. */
export const stateTexts: Readonly<Record<KeyState, string>> = {
  'pre-active': 'not active yet',
  active: 'active',
  deactivated: 'deactivated',
  compromised: 'compromised',
  destroyed: 'destroyed',
  destroyedCompromised: 'destroyed after being compromised',
};
