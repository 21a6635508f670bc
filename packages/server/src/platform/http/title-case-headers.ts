// Header names as the RFCs write them. Names are case-insensitive (RFC 9110 §5.1), but some device libraries compare
// bytes.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Names that do not follow the rule of one capital letter per word. */
const SPECIAL: Readonly<Record<string, string>> = { 'www-authenticate': 'WWW-Authenticate', etag: 'ETag' };

export const titleCase = (name: string): string =>
  SPECIAL[name.toLowerCase()] ?? name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());

/** Affects only the routes of this scope. */
export function writeTitleCaseHeaders(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, { raw }) => {
    const writeHead = raw.writeHead.bind(raw) as (...facts: readonly unknown[]) => typeof raw;
    raw.writeHead = (...facts: readonly unknown[]) => writeHead(...facts.map(titled));
  });
}

/** Rewrites the headers among the arguments of `writeHead`: a status, an optional reason, and headers. */
const titled = (fact: unknown): unknown =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact)
    ? Object.fromEntries(Object.entries(fact as OutgoingHttpHeaders).map(([name, value]) => [titleCase(name), value]))
    : fact;
