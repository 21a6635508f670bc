// Writes header names with the capitalization that the RFCs use. Names are case-insensitive (RFC 9110 §5.1), but some
// device libraries compare them byte by byte.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Names that are not simply capitalized word by word. */
const SPECIAL: Readonly<Record<string, string>> = { 'www-authenticate': 'WWW-Authenticate', etag: 'ETag' };

export const titleCase = (name: string): string =>
  SPECIAL[name.toLowerCase()] ?? name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());

/** Rewrites header names only for the routes in this scope. */
export function writeTitleCaseHeaders(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, { raw }) => {
    const writeHead = raw.writeHead.bind(raw) as (...facts: readonly unknown[]) => typeof raw;
    raw.writeHead = (...facts: readonly unknown[]) => writeHead(...facts.map(toTitleCase));
  });
}

/** Rewrites the headers among the arguments of `writeHead`: a status, an optional reason, and headers. */
const toTitleCase = (fact: unknown): unknown =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact)
    ? Object.fromEntries(Object.entries(fact as OutgoingHttpHeaders).map(([name, value]) => [titleCase(name), value]))
    : fact;
