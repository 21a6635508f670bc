// Servers on loopback for scans: working, outdated and misbehaving ones.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem } from '@signetry/pki';
import { exportPrivateKey, generateKeyPair } from '@signetry/pki/node';

export interface Listening {
  readonly port: number;
  /** Returns the number of accepted connections. */
  readonly taken: () => number;
  close(): Promise<void>;
}

export interface Credentials {
  /** DER of the end-entity certificate. */
  readonly leaf: Uint8Array;
  readonly root: Uint8Array;
  /** PEM of the end-entity certificate alone. */
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/** Issues a certificate for a name, with its key; `expired` moves its validity into the past. */
export async function credentialsFor(
  name: string,
  { issuer = `Root of ${name}`, expired = false, dnsNames = [name] } = {},
): Promise<Credentials> {
  const authority = await createExternalAuthority(`CN=${issuer}`);
  const { privateKey, spki } = await generateKeyPair('P-256');
  const leaf = authority.issue({
    subject: `CN=${name}`,
    spki,
    dnsNames,
    ...(expired ? { notBeforeMs: Date.now() - 90 * DAY_MS, notAfterMs: Date.now() - DAY_MS } : {}),
  });
  return {
    leaf,
    root: authority.der,
    certificate: writePem('CERTIFICATE', leaf),
    key: writePem('PRIVATE KEY', exportPrivateKey(privateKey)),
  };
}

export const pemOf = (der: Uint8Array): string => writePem('CERTIFICATE', der);

export async function tlsServer(options: TlsOptions, onServer?: (server: Server) => void): Promise<Listening> {
  const server = createTlsServer(options, (socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  onServer?.(server);
  return listen(server);
}

/** Starts a TCP server with the given connection handler. */
export const rawServer = (onConnection: (socket: Socket) => void): Promise<Listening> =>
  listen(createServer({ pauseOnConnect: false }, onConnection));

/** Starts a server that talks before TLS: `talk` receives the client's data and determines when TLS starts. */
export function startTlsServer(
  credentials: Credentials,
  { greeting = '', talk }: { greeting?: string | Buffer; talk(text: string, sent: Buffer): ServerReply },
): Promise<Listening> {
  const secureContext = createSecureContext({ cert: credentials.certificate, key: credentials.key });
  return rawServer((socket) => {
    if (greeting !== '') socket.write(greeting);
    const onData = (sent: Buffer): void => {
      const { answer, begin = false, rest } = talk(sent.toString('latin1'), sent);
      if (begin) socket.off('data', onData);
      if (begin) socket.pause();
      if (rest && rest.length > 0) socket.unshift(rest);
      socket.write(answer);
      if (!begin) return;
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => undefined);
      secure.resume();
    };
    socket.on('data', onData);
  });
}

export interface ServerReply {
  readonly answer: string | Buffer;
  /** TLS starts after the answer. */
  readonly begin?: boolean;
  /** TLS data that the client has already sent. */
  readonly rest?: Buffer;
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  let taken = 0;
  server.on('connection', (socket: Socket) => {
    taken += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
