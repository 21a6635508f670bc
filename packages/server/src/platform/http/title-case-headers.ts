// Names of headers as the RFCs write them. They are the same in every case (RFC 9110 §5.1), but libraries of devices
// compare their octets.
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Names that are not written with one capital letter per word. */
const SPECIAL: Readonly<Record<string, string>> = { 'www-authenticate': 'WWW-Authenticate', etag: 'ETag' };

export const titleCase = (name: string): string =>
  SPECIAL[name.toLowerCase()] ?? name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());

/** For the routes of a scope and no others of the server. */
export function writeTitleCaseHeaders(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, { raw }) => {
    const writeHead = raw.writeHead.bind(raw) as (...facts: readonly unknown[]) => typeof raw;
    raw.writeHead = (...facts: readonly unknown[]) => writeHead(...facts.map(titled));
  });
}

/** The headers among the arguments of `writeHead`, which is called with a status, perhaps a reason, and headers. */
const titled = (fact: unknown): unknown =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact)
    ? Object.fromEntries(Object.entries(fact as OutgoingHttpHeaders).map(([name, value]) => [titleCase(name), value]))
    : fact;
