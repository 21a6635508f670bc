// URLs in headers (`Location`, `Link`): parts of them come from paths and settings, and can contain any character.

/** All characters except those of a URI (RFC 3986 §2); `%` stays, since existing escapes are preserved. */
const NOT_IN_URLS = /[^\w!#$%&'()*+,\-./:;=?@[\]~]/gu;

/** Returns the URL with every illegal character escaped, so that none ends the header or the URL within it. */
const headerUrl = (url: string): string =>
  url.toWellFormed().replaceAll(NOT_IN_URLS, (character) => encodeURIComponent(character));

/** Returns the value of a `Link` header (RFC 8288 §3). */
export const linkTo = (url: string, relation: string): string => `<${headerUrl(url)}>;rel="${relation}"`;
