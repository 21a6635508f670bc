// Labels of internationalized names in their ASCII form (A-labels, RFC 5890 §2.3.2.1). Punycode, normalization, mapping
// and the rules of bidirectional text are Node's (UTS 46), which leaves a label that it cannot decode as it is; on top
// of it stand the characters that IDNA2008 has and UTS 46 lacks a refusal for, e.g. symbols. Pure.
import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Why a label is none that a name may have; undefined when it is one. The label is in lower case and of letters, digits
 * and hyphens.
 */
export function problemOfLabel(label: string): string | undefined {
  if (label.slice(2, 4) !== '--') return undefined;
  // RFC 5891 §4.2.3.1
  if (!label.startsWith('xn--'))
    return `hyphens at the third and fourth place of a label are for internationalized names, and ${label} is none`;
  const text = domainToUnicode(label);
  if (text === label || domainToASCII(text) !== label)
    return `${label} is not the ASCII form of an internationalized label (RFC 5891 §5.4)`;
  return isOfIdna2008(text) ? undefined : `${label} stands for characters that names may not have (RFC 5892)`;
}

/** RFC 5892 §2: what is stable under normalization and folding was checked by the round trip; these are the classes. */
const ALLOWED =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\p{Join_Control}\-]+$/v;
/** RFC 5892 §2.6 and §2.9: letters and marks that are not allowed all the same. */
const DISALLOWED = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/v;
/** RFC 5892 appendix A.3 to A.9: characters in a place where they are not allowed. Joiners are checked by Node. */
const OUT_OF_CONTEXT: readonly RegExp[] = [
  /(?<!l)\u00b7|\u00b7(?!l)/v,
  /\u0375(?!\p{Script=Greek})/v,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/v,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/v,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/v,
];

const isOfIdna2008 = (text: string): boolean =>
  ALLOWED.test(text) && !DISALLOWED.test(text) && !OUT_OF_CONTEXT.some((pattern) => pattern.test(text));
