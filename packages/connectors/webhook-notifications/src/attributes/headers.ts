// Additional request headers for an instance.

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,2000}$/;
const MAX_HEADERS = 20;

/** These headers control how the request is parsed, identify the sender, or are secret. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

/** Parses one header per line, in the form `Name: value`. */
export function parseHeaders(
  text: string,
): { readonly value: Readonly<Record<string, string>> } | { readonly problem: string } {
  const headers = new Map<string, string>();
  for (const line of text.split(/\r\n|\r|\n/).map((each) => each.trim())) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    if (colon < 1 || !NAME.test(name) || !VALUE.test(value))
      return { problem: `"${line.slice(0, 60)}" is not a header such as X-Source: pki.` };
    if (RESERVED.has(name)) return { problem: `${name} cannot be set here.` };
    if (headers.has(name)) return { problem: `${name} is specified twice.` };
    headers.set(name, value);
  }
  if (headers.size > MAX_HEADERS) return { problem: `specify at most ${MAX_HEADERS}.` };
  return { value: Object.fromEntries(headers) };
}
