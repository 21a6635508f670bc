// Parses the free text of a search into words and the identifiers that they may represent. Pure.
import { domainToASCII, domainToUnicode } from 'node:url';
import { AppError } from '../../../kernel/errors.ts';
import { isComplaint, readText } from '../../../kernel/filter/read-value.ts';
import { isUuid } from '../../../kernel/ids.ts';

/** More than the number of attributes in a long distinguished name. */
export const MAX_WORDS = 30;

/** Identifiers that a word may be. Multiple can apply: a fingerprint is also a hexadecimal number. */
export interface ExactName {
  readonly uuid?: string;
  /** Lowercase hex without leading zeros, as stored. */
  readonly serialNumber?: string;
  /** SHA-256 in lowercase hex. */
  readonly fingerprint?: string;
}

export interface SearchWord {
  readonly text: string;
  /** Texts that match the word: an internationalized host name is searched in both of its forms (RFC 5890 §2.3.2.1). */
  readonly forms: readonly string[];
  readonly exact: ExactName | undefined;
}

export interface SearchText {
  /** Words that must all occur in the certificate or identify it. */
  readonly words: readonly SearchWord[];
  /** Identifier formed by the whole text, because numbers are also written in groups separated by spaces. */
  readonly whole: ExactName | undefined;
}

/** Parses the text of a search; returns undefined if it is empty. */
export function readSearchText(text: string | undefined): SearchText | undefined {
  const read = readText(text ?? '');
  if (isComplaint(read)) throw new AppError('invalid_fields', { problems: [`text: ${read.complaint}`] });
  const words = [...new Set(read.split(/\s+/).filter((word) => word !== ''))];
  if (words.length === 0) return undefined;
  if (words.length > MAX_WORDS)
    throw new AppError('invalid_fields', { problems: [`text: must not contain more than ${MAX_WORDS} words`] });
  return {
    words: words.map((word) => ({ text: word, forms: formsOf(word), exact: exactNameOf(word) })),
    whole: words.length === 1 ? undefined : exactNameOf(read.replaceAll(/\s/g, '')),
  };
}

/** Subject alternative names contain the ASCII form; subjects can contain either. */
function formsOf(word: string): readonly string[] {
  if (!/[^ -~]|xn--/i.test(word)) return [word];
  const others = [domainToASCII(word), domainToUnicode(word)].filter((form) => form !== '');
  return [...new Set([word, ...others])];
}

const HEX = /^[0-9a-f]+$/;
const FINGERPRINT_DIGITS = 64;

function exactNameOf(word: string): ExactName | undefined {
  const lower = word.toLowerCase();
  if (isUuid(lower)) return { uuid: lower };
  const digits = lower.replace(/^0x/, '').replaceAll(':', '');
  if (!HEX.test(digits)) return undefined;
  const serialNumber = digits.replace(/^0+(?=.)/, '');
  return digits.length === FINGERPRINT_DIGITS ? { serialNumber, fingerprint: digits } : { serialNumber };
}

/**
 * A hexadecimal string of this length does not occur in a name by chance, and serial numbers contain at least 64 random
 * bits.
 */
const UNMISTAKABLE_DIGITS = 16;

/** Returns whether the text identifies a single certificate. Once that certificate is found, the search stops. */
export function isUnambiguous({ words: [word, ...others], whole }: SearchText): boolean {
  const exact = others.length === 0 ? word?.exact : whole;
  return exact !== undefined && (exact.uuid !== undefined || (exact.serialNumber ?? '').length >= UNMISTAKABLE_DIGITS);
}
