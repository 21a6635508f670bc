// Determines the path to route and the requested host from the forms that clients and proxies send.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/errors.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/is;

/**
 * Returns a request's path and query. If the target is in absolute form, its host replaces `Host` (RFC 9112 §3.2.2).
 */
export function routedPath(request: IncomingMessage & { originalUrl?: string }): string {
  const target = request.url ?? '/';
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined) return withoutDoubledSlashes(target);
  request.headers.host = authority;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  // Clients sign and see only the path.
  request.originalUrl = path;
  return withoutDoubledSlashes(path);
}

/** Removes repeated leading slashes, which some clients send; `new URL` would parse the next segment as a host. */
const withoutDoubledSlashes = (path: string): string => path.replace(/^\/{2,}/, '/').replace(/^(\/api)\/{2,}/, '$1/');

/**
 * Rejects a request with multiple Host headers (RFC 9112 §3.2), because a proxy in front may have used a different one.
 */
export function assertOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new AppError('malformed_request', { problem: 'it has more than one Host header' });
}
