// Email addresses as mail servers accept them. Quoted local parts (RFC 5321 §4.1.2) are not supported: they are not
// used in practice, and they allow the characters that injection attacks need.
const LOCAL = /^[^\s\p{Cc}<>()[\],;:\\"@]{1,64}$/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return text.length <= 254 && at > 0 && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}
