// Account contact addresses (RFC 8555 §7.3). Pure.
import { rejection } from '../model/problems.ts';

const MAX_CONTACTS = 10;
const MAX_LENGTH = 254;
/** One addr-spec without header fields (RFC 8555 §7.3 forbids "hfields" and multiple addresses in one URL). */
const ADDRESS =
  /^(?:(?![@,?<>"])[\x21-\x7e]){1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Parses the "contact" member of a request; returns undefined if it is absent. */
export function readContact(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((each): each is string => typeof each === 'string'))
    throw rejection('malformed', '"contact" must be an array of URLs.');
  if (value.length > MAX_CONTACTS)
    throw rejection('invalidContact', `An account can have at most ${MAX_CONTACTS} contacts.`);
  return value.map(readUrl);
}

/** Returns the URL without the spaces that some clients add around the address. */
function readUrl(text: string): string {
  const url = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined)
    throw rejection('invalidContact', 'A contact must be a URL such as mailto:admin@example.com.');
  if (scheme !== 'mailto')
    throw rejection('unsupportedContact', 'Contacts must be mailto: URLs; other schemes are not supported.');
  const address = url.slice('mailto:'.length).trim();
  if (/[^\0-\x7f]/.test(address))
    throw rejection(
      'invalidContact',
      'The email address of a contact must be ASCII. Write an internationalized domain as xn--….',
    );
  if (address.length > MAX_LENGTH || !ADDRESS.test(address))
    throw rejection('invalidContact', 'A contact must contain exactly one email address and no header fields.');
  return url.slice(0, 'mailto:'.length) + address;
}
