// Opens a connection to the mail server: address checked, TLS as asked for, logged in.
import { lookup } from 'node:dns/promises';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { ConnectorContext } from '@signetry/connector-sdk';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ServerSettings } from '../attributes/email-attributes.ts';
import { MailError } from './mail-error.ts';

export type Connection = SMTPConnection;
type Host = Pick<ConnectorContext, 'resolveHost'>;

/** TLS 1.0 and 1.1 are no longer to be used (RFC 8996). */
const MIN_TLS = 'TLSv1.2';

/** Throws what nodemailer throws, or `MailError`; when `signal` fires, its reason. */
export async function openConnection(server: ServerSettings, host: Host, signal: AbortSignal): Promise<Connection> {
  const { default: Smtp } = await import('nodemailer/lib/smtp-connection');
  const socket = await openSocket(server, host, signal);
  const { security, login, timeoutMs } = server;
  const connection = new Smtp({
    connection: socket,
    host: server.host,
    port: server.port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: MIN_TLS, ...(server.trustAnchors === undefined ? {} : { ca: server.trustAnchors }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  // Whoever uses it listens too; between two uses, and behind the last, nobody would.
  connection.on('error', () => undefined);
  const close = () => closeNow(connection, socket);
  signal.addEventListener('abort', close, { once: true });
  try {
    await settled(connection, signal, (done) => connection.connect(done));
    if (login) await logIn(connection, { server, login, signal });
    return connection;
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
  }
}

async function logIn(
  connection: Connection,
  { server, login: { user, password }, signal }: {
    readonly server: ServerSettings;
    readonly login: NonNullable<ServerSettings['login']>;
    readonly signal: AbortSignal;
  }, // prettier-ignore
): Promise<void> {
  const { allowsAuth } = connection as Connection & { readonly allowsAuth?: boolean }; // set by the answer to EHLO
  if (allowsAuth === false)
    throw new MailError(
      `${server.host}:${server.port} offers no login. Leave the credential out, or ask its operator.`,
      {
        isFinal: true,
        isOfServer: true,
      },
    );
  await settled(connection, signal, (done) => connection.login({ credentials: { user, pass: password } }, done));
}

/** Sends a mail; what the server answers counts once it has the whole of it. */
export const transmit = (
  connection: Connection,
  { envelope, octets }: { readonly envelope: { readonly from: string; readonly to: string }; readonly octets: Buffer },
  signal: AbortSignal,
): Promise<void> => settled(connection, signal, (done) => connection.send(envelope, octets, done));

export function closeNow(connection: Connection, socket?: Socket): void {
  connection.close();
  socket?.destroy();
}

/** Ends with the callback, an error of the connection, its end, or the signal, whichever is first. */
async function settled(
  connection: Connection,
  signal: AbortSignal,
  begin: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason as Error); // signals here are aborted with errors
  const onEnd = () => reject(new Error('The connection ended.'));
  connection.on('error', reject);
  connection.on('end', onEnd);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    begin((error) => (error ? reject(error) : resolve()));
    await promise;
  } finally {
    connection.off('error', reject);
    connection.off('end', onEnd);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Only addresses that the host of this connector allows are connected to. */
async function openSocket(
  { host, port, timeoutMs }: ServerSettings,
  { resolveHost }: Host,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await addressesOf(host, port, resolveHost);
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket({
    // A literal address has no look-up in node.
    host: isIP(host) === 0 ? host : (addresses[0]?.address ?? host),
    port,
    autoSelectFamily: true,
    lookup: (_name, _options, done) =>
      done(
        null,
        addresses.map(({ address }) => ({ address, family: isIP(address) })),
      ),
  });
  const onAbort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('The server cannot be connected to in time.')));
  socket.once('connect', () => resolve(socket)).once('error', reject);
  try {
    await promise;
    socket
      .setTimeout(0)
      .setNoDelay(true)
      .on('error', () => undefined);
    return socket;
  } catch (error) {
    // Told as nodemailer tells it, with the code of the system.
    throw Object.assign(new Error('No connection.', { cause: error }), {
      code: 'ESOCKET',
      originalCode: codeOf(error),
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function addressesOf(
  host: string,
  port: number,
  resolveHost: Host['resolveHost'],
): Promise<readonly { readonly address: string }[]> {
  try {
    return resolveHost ? await resolveHost(host, port) : await lookup(host, { all: true });
  } catch (error) {
    const isOwn = error instanceof Error && !('code' in error);
    const message = isOwn ? error.message : `The host name ${host} has no address.`;
    throw new MailError(message, { isFinal: false, isOfServer: true, cause: error });
  }
}

function codeOf(error: unknown): string {
  // Several addresses were tried in vain.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return one instanceof Error && 'code' in one ? String(one.code) : '';
}
