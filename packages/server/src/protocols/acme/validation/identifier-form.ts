// Challenges permitted for an identifier, and the format of names that are looked up. Pure.
import { parseIpAddress } from '@signetry/pki';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { isDnsChallenge, type Identifier } from '../model/vocabulary.ts';

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * Matches a numeric label. System resolvers accept `127.1`, `0x7f000001` and similar forms as IP addresses; a host name
 * never ends in a number.
 */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;

/** Returns whether the text is a lowercase DNS name and not an IP address in another notation. */
export function isDnsName(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  const labels = text.split('.');
  return labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? '');
}

export const isWildcard = ({ type, value }: Identifier): boolean => type === 'dns' && value.startsWith('*.');

/** Returns the name to be validated; for a wildcard, without its `*.` (RFC 8555 §7.1.4). */
export const validatedName = (identifier: Identifier): string =>
  isWildcard(identifier) ? identifier.value.slice(2) : identifier.value;

/**
 * Rejects identifiers that orders also reject, so that validation does not depend on the checks performed for orders.
 */
export function assertValidatable({ type, identifier }: Pick<ChallengeToValidate, 'type' | 'identifier'>): void {
  const reject = (detail: string): never => {
    throw new ValidationFailure({ type: 'rejectedIdentifier', detail, mayChange: false });
  };
  if (identifier.type === 'ip') {
    if (parseIpAddress(identifier.value) === undefined) reject('The identifier of type ip is not an IP address.');
    if (isDnsChallenge(type)) reject(`An IP address cannot be validated with ${type} (RFC 8738 §7).`);
    return;
  }
  if (!isDnsName(validatedName(identifier)))
    reject('The identifier of type dns is not a DNS name; IP addresses require the type ip (RFC 8738 §3).');
  if (isWildcard(identifier) && !isDnsChallenge(type)) reject('A wildcard can only be validated with a DNS challenge.');
}
