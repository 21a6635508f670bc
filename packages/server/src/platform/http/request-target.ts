// The path that is routed and the host that a request names, from the forms that clients and proxies send.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/errors.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * The path and query of a request. The host of a target in absolute form takes the place of `Host` (RFC 9112 §3.2.2).
 */
export function routedPath(request: IncomingMessage & { originalUrl?: string }): string {
  const target = request.url ?? '/';
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined) return withoutDoubledSlashes(target);
  request.headers.host = authority;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  // What clients sign, and what is shown to them, is the path alone.
  request.originalUrl = path;
  return withoutDoubledSlashes(path);
}

/** A repeated slash at the start is sent by real clients; `new URL` would read the next part as a host. */
const withoutDoubledSlashes = (path: string): string => path.replace(/^\/{2,}/, '/').replace(/^(\/api)\/{2,}/, '$1/');

/** Two of them are refused (RFC 9112 §3.2): a proxy in front may have used the other one. */
export function assertOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new AppError('malformed_request', { problem: 'it has more than one Host header' });
}
