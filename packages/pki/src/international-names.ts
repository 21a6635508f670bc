// Internationalized host names in readable form (RFC 5890: A-labels as U-labels), if that form cannot be mistaken for a
// different name. This is a separate package entry point, because every console page displays names.

const PREFIX = 'xn--';
/** Labels are at most 63 bytes long (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/**
 * Returns the Unicode form of a host name with A-labels, or undefined if it has no A-labels, or if one cannot be
 * decoded or would look like a different label. Show it next to the ASCII form, never instead of it.
 */
export function unicodeHostName(name: string): string | undefined {
  const labels = name.split('.').map((label) => (isALabel(label) ? unicodeLabel(label) : label));
  const text = labels.every((label) => label !== undefined) ? labels.join('.') : undefined;
  return text === name ? undefined : text;
}

/**
 * Returns an A-label's problem as the predicate of a sentence. An A-label must be Punycode (otherwise the problem is
 * fatal), and should encode a label that IDNA allows (RFC 5891 §4.2) and that does not look like a different label.
 * Returns undefined for valid A-labels and all other labels.
 */
export function aLabelProblem(label: string): { readonly text: string; readonly isFatal: boolean } | undefined {
  if (!isALabel(label)) return undefined;
  const text = label.length > MAX_LABEL ? undefined : decodePunycode(label.slice(PREFIX.length).toLowerCase());
  if (text === undefined) return { text: 'cannot be decoded', isFatal: true };
  if (!LABEL.test(text) || text.normalize('NFC') !== text)
    return { text: 'contains characters that IDNA 2008 does not allow', isFatal: false };
  return isUnambiguous(text) ? undefined : { text: 'looks like a different name or mixes scripts', isFatal: false };
}

const isALabel = (label: string): boolean => label.slice(0, PREFIX.length).toLowerCase() === PREFIX;

function unicodeLabel(label: string): string | undefined {
  if (label.length > MAX_LABEL) return undefined;
  const text = decodePunycode(label.slice(PREFIX.length).toLowerCase());
  return text !== undefined && isUnambiguous(text) ? text : undefined;
}

/** Letters, marks, digits and hyphens in the normalized form that registries accept (RFC 5891 §4.2). */
const LABEL = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}-]+$/u;

/**
 * Scripts that a single label can combine at the "highly restrictive" level (Unicode Technical Standard 39 §5.2): one
 * recommended script, or Latin with the Chinese, Japanese or Korean scripts.
 */
const ALPHABETS = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]+$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]+$/u,
  ...[
    'Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi',
    'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana',
    'Thai', 'Tibetan',
  ].map((script) => new RegExp(`^[\\p{Script=${script}}]+$`, 'u')),
]; // prettier-ignore

/** Digits, the hyphen, and marks that can occur in any script. */
const NEUTRAL = /[0-9\-\p{Script=Inherited}]/gu;

/** Letters of other scripts that can be mistaken for Latin ones (Unicode Technical Standard 39 §4). */
const LIKE_LATIN = /^[асԁеһіјӏорԛѕԝхуъьпгѵѡкмтвναικορτυχωγηεպսօոցզհքգլձտյբ0-9-]+$/u;

function isUnambiguous(label: string): boolean {
  if (!LABEL.test(label) || label.normalize('NFC') !== label || LIKE_LATIN.test(label)) return false;
  const letters = label.replaceAll(NEUTRAL, '');
  return ALPHABETS.some((alphabet) => alphabet.test(letters));
}

// Parameters from RFC 3492 §5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_POINT = 128;
const MAX_POINT = 0x10_ffff;

/** Decodes Punycode (RFC 3492 §6.2). Returns undefined unless the input encodes text with non-ASCII characters. */
function decodePunycode(encoded: string): string | undefined {
  const delimiter = encoded.lastIndexOf('-');
  const points = Array.from(encoded.slice(0, Math.max(0, delimiter)), (character) => character.charCodeAt(0));
  const digits = Array.from(encoded.slice(delimiter + 1), digitOf);
  if (digits.length === 0 || points.some((point) => point >= INITIAL_POINT)) return undefined;
  let [at, index, point, bias] = [0, 0, INITIAL_POINT, INITIAL_BIAS];
  while (at < digits.length) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digits[at++];
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapt(index - before, length, before === 0);
    point += Math.floor(index / length);
    index %= length;
    if (point > MAX_POINT) return undefined;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

function digitOf(character: string): number | undefined {
  if (/^[a-z]$/.test(character)) return character.charCodeAt(0) - 97;
  return /^[0-9]$/.test(character) ? character.charCodeAt(0) - 22 : undefined;
}

/** RFC 3492 §6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  left += Math.floor(left / length);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
