// Free text of a search: its words, and what they may name exactly. Pure.
import { domainToASCII, domainToUnicode } from 'node:url';
import { AppError } from '../../../kernel/errors.ts';
import { isComplaint, readText } from '../../../kernel/filter/read-value.ts';
import { isUuid } from '../../../kernel/ids.ts';

/** More than the attributes of a long distinguished name have. */
export const MAX_WORDS = 30;

/** What a word names if it is an exact one. Several at once: a fingerprint is a hexadecimal number too. */
export interface ExactName {
  readonly uuid?: string;
  /** Lower-case hex without leading zeros, as stored. */
  readonly serialNumber?: string;
  /** Lower-case hex SHA-256. */
  readonly fingerprint?: string;
}

export interface SearchWord {
  readonly text: string;
  /** The texts that it is found by: an international host name in both of its forms (RFC 5890 §2.3.2.1). */
  readonly forms: readonly string[];
  readonly exact: ExactName | undefined;
}

export interface SearchText {
  /** All of them must occur, or name the certificate. */
  readonly words: readonly SearchWord[];
  /** What the text names as a whole: numbers are also written in groups with spaces between them. */
  readonly whole: ExactName | undefined;
}

/** Undefined when there is nothing to look for. */
export function readSearchText(text: string | undefined): SearchText | undefined {
  const read = readText(text ?? '');
  if (isComplaint(read)) throw new AppError('invalid_fields', { problems: [`text: ${read.complaint}`] });
  const words = [...new Set(read.split(/\s+/).filter((word) => word !== ''))];
  if (words.length === 0) return undefined;
  if (words.length > MAX_WORDS)
    throw new AppError('invalid_fields', { problems: [`text: has more than ${MAX_WORDS} words`] });
  return {
    words: words.map((word) => ({ text: word, forms: formsOf(word), exact: exactNameOf(word) })),
    whole: words.length === 1 ? undefined : exactNameOf(read.replaceAll(/\s/g, '')),
  };
}

/** Certificates hold the ASCII form in their alternative names; subjects may have either. */
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
 * So many hexadecimal digits are never part of a name by chance; 64 random bits are what serial numbers have at least.
 */
const UNMISTAKABLE_DIGITS = 16;

/** Does the text name one certificate, so that no other is looked for when that one is found? */
export function isUnmistakable({ words: [word, ...others], whole }: SearchText): boolean {
  const exact = others.length === 0 ? word?.exact : whole;
  return exact !== undefined && (exact.uuid !== undefined || (exact.serialNumber ?? '').length >= UNMISTAKABLE_DIGITS);
}
