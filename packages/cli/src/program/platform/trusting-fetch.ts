// `fetch` over HTTPS with custom trust anchors or a client certificate. For the built-in `fetch`, these can be set only
// for the whole process.
import { request } from 'node:https';

/** Status codes of responses that have no body (RFC 9110 §6.4.1); `Response` does not accept a body with them. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** A certificate with its chain and key, in PEM. */
interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns a `fetch` that trusts only the given certificates (PEM), or the system's roots if none are given. Implements
 * the part of `fetch` that the client uses; redirects are rejected.
 */
export function trustingFetch(
  trusted: readonly string[] | undefined,
  clientCertificate?: ClientCertificate,
): typeof globalThis.fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        new URL(input instanceof Request ? input.url : input),
        {
          method: init.method ?? 'GET',
          headers: Object.fromEntries(new Headers(init.headers)),
          ...(trusted === undefined ? {} : { ca: [...trusted] }),
          ...clientCertificate,
          // A kept-alive connection would keep the process running.
          agent: false,
          ...(init.signal ? { signal: init.signal } : {}),
        },
        (answer) => {
          const status = answer.statusCode ?? 0;
          const chunks: Uint8Array[] = [];
          answer.on('data', (chunk: Uint8Array) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            if (status >= 300 && status < 400) reject(new Error(`the response is a redirect (${status})`));
            else resolve(new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status }));
          });
        },
      );
      sent.on('error', reject);
      sent.end(typeof init.body === 'string' ? init.body : undefined);
    });
}
