// URLs in headers (`Location`, `Link`). Parts of them come from paths and settings and can contain any character.

/**
 * Matches all characters that cannot occur in a URI (RFC 3986 §2). `%` is not matched, since existing escapes are
 * preserved.
 */
const NOT_IN_URLS = /[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu;

/** Returns the URL with every illegal character escaped, so that no character ends the header or the URL within it. */
const headerUrl = (url: string): string =>
  url.toWellFormed().replaceAll(NOT_IN_URLS, (character) => encodeURIComponent(character));

/** Returns the value of a `Link` header (RFC 8288 §3). */
export const linkTo = (url: string, relation: string): string => `<${headerUrl(url)}>;rel="${relation}"`;
