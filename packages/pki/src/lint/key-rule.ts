// Rules for keys in tokens. Only the public key is known, as SubjectPublicKeyInfo.
import { keyText } from './key-strength.ts';
import type { ObjectKind, Rule, RuleSet } from './rule.ts';
import type { PublicKey } from '../keys.ts';

export type KeyField = 'algorithm' | 'length' | 'curve' | 'key';

export type KeyRule = Rule<PublicKey, never, KeyField>;
export type KeyRuleSet = RuleSet<PublicKey, never, KeyField>;

export const KEYS: ObjectKind<PublicKey, never> = {
  roles: {},
  dateMs: () => 0, // A key has no date.
  valueAt: (key, field) => {
    if (field === 'length') return `${key.bits} bits`;
    return field === 'curve' ? key.curve : keyText(key);
  },
};

/** Defines a rule with parameters, so that the compiler checks their values against the types that the rule expects. */
export function withKeyParameters<Parameters extends object>(
  rule: Rule<PublicKey, never, KeyField, Parameters> & { readonly parameters: Parameters },
): typeof rule {
  return rule;
}
