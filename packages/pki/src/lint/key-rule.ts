// Rules about keys of tokens: public keys as SubjectPublicKeyInfo, which is what is known of a pair.
import { keyText } from './key-strength.ts';
import type { ObjectKind, Rule, RuleSet } from './rule.ts';
import type { PublicKey } from '../keys.ts';

export type KeyField = 'algorithm' | 'length' | 'curve' | 'key';

export type KeyRule = Rule<PublicKey, never, KeyField>;
export type KeyRuleSet = RuleSet<PublicKey, never, KeyField>;

export const KEYS: ObjectKind<PublicKey, never> = {
  roles: {},
  dateMs: () => 0, // a key has no date
  valueAt: (key, field) => {
    if (field === 'length') return `${key.bits} bits`;
    return field === 'curve' ? key.curve : keyText(key);
  },
};

/** A rule that has parameters: makes the compiler compare their values with what the rule takes. */
export function withKeyParameters<Parameters extends object>(
  rule: Rule<PublicKey, never, KeyField, Parameters> & { readonly parameters: Parameters },
): typeof rule {
  return rule;
}
