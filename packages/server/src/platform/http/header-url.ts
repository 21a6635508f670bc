// Addresses in headers (`Location`, `Link`): parts of them come from paths and settings, and may contain any character.

/** Everything but the characters of a URI (RFC 3986 §2); `%` stays, since escapes are kept as they are. */
const NOT_IN_URLS = /[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu;

/** The address with every illegal character escaped, so that none ends the header or the address within it. */
const headerUrl = (url: string): string =>
  url.toWellFormed().replaceAll(NOT_IN_URLS, (character) => encodeURIComponent(character));

/** A `Link` to an address (RFC 8288 §3). */
export const linkTo = (url: string, relation: string): string => `<${headerUrl(url)}>;rel="${relation}"`;
