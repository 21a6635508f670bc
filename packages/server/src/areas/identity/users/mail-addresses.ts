// Email addresses of users and roles: notifications are sent to them, and identity providers supply them as claims.
// Pure.

/** RFC 5321 §4.5.3.1: maximum bytes of the part before the @, and of the whole address. */
const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;

/**
 * An atom (RFC 5321 §4.1.2), including the letters that RFC 6531 §3.3 allows. Quoted strings are not accepted, because
 * they are a risk in headers.
 */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?';
const LOCAL_PART = dotted(ATOM);
const DOMAIN = dotted(LABEL);

export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || Buffer.byteLength(text) > MAX_OCTETS) return false;
  const local = text.slice(0, at);
  return Buffer.byteLength(local) <= MAX_LOCAL_OCTETS && LOCAL_PART.test(local) && DOMAIN.test(text.slice(at + 1));
}

/** Returns the problems with an address that is to be stored; none if there is no address. */
export const problemsOfMailAddress = (text: string | null): string[] =>
  text === null || isMailAddress(text)
    ? []
    : [
        `The e-mail address ${JSON.stringify(text.slice(0, 100))} is not valid. Enter one address, such as ` +
          'anna@example.com, without a name or brackets.',
      ];

function dotted(part: string): RegExp {
  return new RegExp(`^${part}(?:\\.${part})*$`, 'u');
}
