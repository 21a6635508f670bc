// SMTP servers on loopback: a working one, and raw ones that misbehave.
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem } from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Number of connections opened so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

export interface MailServerFacts extends SMTPServerOptions {
  readonly password?: string;
  /** Returns the error code with which to reject a recipient, if any. */
  readonly refuse?: (recipient: string) => number | undefined;
}

/** Returns a certificate for `localhost` with its key, and the CA certificate, in PEM. */
export async function serverCertificate(): Promise<{
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
}> {
  const authorityKeys = await generateKeyPair('P-256');
  const authority = await createExternalAuthority('CN=Mail Root', authorityKeys);
  const { privateKey, spki } = await generateKeyPair('P-256');
  const leaf = authority.issue({ subject: 'CN=localhost', spki, dnsNames: ['localhost'] });
  const root = authority.certify({ subject: 'CN=Mail Root', spki: authorityKeys.spki });
  return {
    key: await exportPrivateKeyPem(privateKey),
    cert: writePem('CERTIFICATE', leaf),
    ca: writePem('CERTIFICATE', root),
  };
}

export async function startMailServer({ password, refuse, ...options }: MailServerFacts = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: [...(options.cert ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    ...options,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth(auth, _session, done) {
      if (auth.username === 'pki' && auth.password === password) done(null, { user: auth.username });
      else done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse?.(address);
      if (responseCode === undefined) done();
      else done(Object.assign(new Error('Not this one'), { responseCode }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(parts).toString('utf8'),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined); // Tests may close connections.
  const port = await listenOnFreePort(server.server);
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, mails, connections: () => connections, close };
}

/** Starts a TCP server that hands each connection to `talk`. */
export async function startRawServer(
  talk: (socket: Socket) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    talk(socket);
  });
  const port = await listenOnFreePort(server);
  return {
    port,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const listenOnFreePort = (server: Pick<Server, 'listen' | 'address'>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // TCP
  });

/** Responds to each line with the result of `answer`, or not at all if it is undefined. */
export const respondToLines =
  (greeting: string, answer: (line: string, socket: Socket) => string | undefined) =>
  (socket: Socket): void => {
    let rest = '';
    socket.write(`${greeting}\r\n`);
    socket.on('data', (octets) => {
      const lines = `${rest}${octets.toString()}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const said = answer(line, socket);
        if (said !== undefined) socket.write(`${said}\r\n`);
      }
    });
  };
