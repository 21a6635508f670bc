// Addresses in headers (`Location`, `Link`): parts of them come from paths and settings, and may hold any character
// there is.

/**
 * Everything but the characters of a URI (RFC 3986 §2); `%` stays, since what is escaped already is to stay as it is.
 */
const NOT_IN_URLS = /[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu;

/**
 * The address with everything escaped that may not stand in one, so that it ends neither the header nor the address
 * within it.
 */
const headerUrl = (url: string): string =>
  url.toWellFormed().replaceAll(NOT_IN_URLS, (character) => encodeURIComponent(character));

/** A `Link` to an address (RFC 8288 §3). */
export const linkTo = (url: string, relation: string): string => `<${headerUrl(url)}>;rel="${relation}"`;
