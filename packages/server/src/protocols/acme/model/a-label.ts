// Labels of internationalized names in ASCII form (A-labels, RFC 5890 §2.3.2.1). Node handles Punycode, normalization,
// mapping and bidirectional rules (UTS 46), but leaves labels that it cannot decode unchanged. This module also rejects
// the characters that UTS 46 allows but IDNA2008 disallows, such as symbols. Pure.
import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Returns why a label is not permitted in a name, or undefined if it is. The label must consist of lowercase letters,
 * digits and hyphens.
 */
export function problemOfLabel(label: string): string | undefined {
  if (label.slice(2, 4) !== '--') return undefined;
  // RFC 5891 §4.2.3.1
  if (!label.startsWith('xn--'))
    return `hyphens in the third and fourth position of a label are reserved for internationalized names, and ${label} is not one`;
  const text = domainToUnicode(label);
  if (text === label || domainToASCII(text) !== label) return `${label} is not a valid A-label (RFC 5891 §5.4)`;
  return isIdna2008(text) ? undefined : `${label} encodes characters that are not permitted in names (RFC 5892)`;
}

/**
 * Character classes allowed by RFC 5892 §2. The round trip has already checked stability under normalization and case
 * folding.
 */
const ALLOWED =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\p{Join_Control}\-]+$/v;
/** Letters and marks that RFC 5892 §2.6 and §2.9 disallow as exceptions. */
const DISALLOWED = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/v;
/** Characters that RFC 5892 appendix A.3 to A.9 disallows in certain contexts. Node checks joiners. */
const OUT_OF_CONTEXT: readonly RegExp[] = [
  /(?<!l)\u00b7|\u00b7(?!l)/v,
  /\u0375(?!\p{Script=Greek})/v,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/v,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/v,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/v,
];

const isIdna2008 = (text: string): boolean =>
  ALLOWED.test(text) && !DISALLOWED.test(text) && !OUT_OF_CONTEXT.some((pattern) => pattern.test(text));
