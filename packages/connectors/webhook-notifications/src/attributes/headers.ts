// Headers that an instance adds to its requests.

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,2000}$/;
const MAX_HEADERS = 20;

/** They say how the request is to be read, whom it is from, or are secret. */
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

/** `Name: value` in each line. */
export function parseHeaders(
  text: string,
): { readonly value: Readonly<Record<string, string>> } | { readonly problem: string } {
  const headers = new Map<string, string>();
  for (const line of text.split(/\r\n|\r|\n/).map((each) => each.trim())) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    if (colon < 1 || !NAME.test(name) || !VALUE.test(value))
      return { problem: `"${line.slice(0, 60)}" is no header such as X-Source: pki.` };
    if (RESERVED.has(name)) return { problem: `${name} cannot be set here.` };
    if (headers.has(name)) return { problem: `${name} is given twice.` };
    headers.set(name, value);
  }
  if (headers.size > MAX_HEADERS) return { problem: `there are more than ${MAX_HEADERS} of them.` };
  return { value: Object.fromEntries(headers) };
}
