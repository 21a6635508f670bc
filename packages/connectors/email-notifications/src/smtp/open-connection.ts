// Opens a connection to the mail server: checks the address, sets up TLS as configured, and logs in.
import { lookup } from 'node:dns/promises';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { ConnectorContext } from '@signetry/connector-sdk';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ServerSettings } from '../attributes/email-attributes.ts';
import { MailError } from './mail-error.ts';

export type Connection = SMTPConnection;
type Host = Pick<ConnectorContext, 'resolveHost'>;

/** TLS 1.0 and 1.1 are deprecated (RFC 8996). */
const MIN_TLS = 'TLSv1.2';

/** Throws nodemailer errors or `MailError`; if `signal` is aborted, throws its reason. */
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
  // Code that uses the connection has its own listener. This listener covers the time between uses and after the last
  // one.
  connection.on('error', () => undefined);
  const close = () => closeNow(connection, socket);
  signal.addEventListener('abort', close, { once: true });
  try {
    await settle(connection, signal, (done) => connection.connect(done));
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
  // nodemailer sets this from the EHLO response.
  const { allowsAuth } = connection as Connection & { readonly allowsAuth?: boolean };
  if (allowsAuth === false)
    throw new MailError(
      `${server.host}:${server.port} does not offer authentication. Remove the credential, or ask the server's operator.`,
      {
        isFinal: true,
        isOfServer: true,
      },
    );
  await settle(connection, signal, (done) => connection.login({ credentials: { user, pass: password } }, done));
}

/** Sends an email. The server's reply to the complete message determines whether it succeeded. */
export const transmit = (
  connection: Connection,
  { envelope, octets }: { readonly envelope: { readonly from: string; readonly to: string }; readonly octets: Buffer },
  signal: AbortSignal,
): Promise<void> => settle(connection, signal, (done) => connection.send(envelope, octets, done));

export function closeNow(connection: Connection, socket?: Socket): void {
  connection.close();
  socket?.destroy();
}

/** Settles with the callback, a connection error, the end of the connection or the signal, whichever comes first. */
async function settle(
  connection: Connection,
  signal: AbortSignal,
  begin: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason as Error); // Signals used here are always aborted with errors.
  const onEnd = () => reject(new Error('The connection was closed.'));
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

/** Connects only to addresses that the connector's host allows. */
async function openSocket(
  { host, port, timeoutMs }: ServerSettings,
  { resolveHost }: Host,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await addressesOf(host, port, resolveHost);
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectSocket({
    // Node does not call `lookup` for literal IP addresses.
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
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('Cannot connect to the server in time.')));
  socket.once('connect', () => resolve(socket)).once('error', reject);
  try {
    await promise;
    socket
      .setTimeout(0)
      .setNoDelay(true)
      .on('error', () => undefined);
    return socket;
  } catch (error) {
    // The error has the form of nodemailer errors, with the system error code.
    throw Object.assign(new Error('Cannot connect.', { cause: error }), {
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
    const message = isOwn ? error.message : `The host name ${host} cannot be resolved.`;
    throw new MailError(message, { isFinal: false, isOfServer: true, cause: error });
  }
}

function codeOf(error: unknown): string {
  // If multiple addresses failed, the first error is used.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return one instanceof Error && 'code' in one ? String(one.code) : '';
}
