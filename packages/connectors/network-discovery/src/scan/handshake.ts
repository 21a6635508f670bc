// A TLS handshake to collect what the server presents. Peers are deliberately not verified: a scan looks for all
// certificates, especially expired, self-signed and weak ones, and sends no sensitive data.
import { constants, X509Certificate } from 'node:crypto';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { Target } from '../targets/plan.ts';
import type { LimitedStream } from './limited-stream.ts';
import { failureOf } from './outcome.ts';
import { readServedChain, type ServedChain } from './served-chain.ts';
import { inTurn } from './turns.ts';

export interface Handshake {
  /** E.g. `TLSv1.3`. */
  readonly protocol: string;
  /** Cipher suite name (IANA); absent if the handshake did not get that far. */
  readonly cipher?: string | undefined;
  /** DER certificates in the order sent, starting with the server certificate. */
  readonly chain: readonly Uint8Array[];
  /** OCSP response stapled by the server (RFC 6066 §8). */
  readonly ocspResponse?: Uint8Array | undefined;
}

/** Keyed by the offered signature algorithms. */
const contexts = new Map<string | undefined, SecureContext>();

/**
 * Creates a context that allows everything that OpenSSL still supports, so that old servers can be scanned. It has no
 * trusted roots because nothing is verified.
 */
function contextFor(signatures: string | undefined): SecureContext {
  const context =
    contexts.get(signatures) ??
    createSecureContext({
      ca: [],
      ciphers: 'ALL:@SECLEVEL=0',
      minVersion: 'TLSv1',
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
      ...(signatures === undefined ? {} : { sigalgs: signatures }),
    });
  contexts.set(signatures, context);
  return context;
}

const SECRET_LINE = /^SERVER_HANDSHAKE_TRAFFIC_SECRET [0-9a-f]+ ([0-9a-f]+)\s*$/;

/** Throws `ScanFailure` if the handshake fails. The caller ends the stream, and destroys it on timeout. */
export async function performHandshake(
  stream: LimitedStream,
  { serverName, signatures }: Pick<Target, 'serverName' | 'signatures'>,
): Promise<Handshake> {
  const socket = connect({
    socket: stream,
    secureContext: contextFor(signatures),
    rejectUnauthorized: false,
    requestOCSP: true,
    checkServerIdentity: () => undefined,
    ...(serverName === undefined ? {} : { servername: serverName }),
  });
  const seen: { secret?: Uint8Array; ocspResponse?: Uint8Array } = {};
  socket.on('keylog', (line: Buffer) => {
    const [, secret] = SECRET_LINE.exec(line.toString('latin1')) ?? [];
    if (secret !== undefined) seen.secret = Buffer.from(secret, 'hex');
  });
  socket.on('OCSPResponse', (response: Buffer | null) => {
    if (response && response.length > 0) seen.ocspResponse = Uint8Array.from(response);
  });
  try {
    await waitUntilSecure(socket, stream);
    const served = readServedChain(stream.transcript, seen.secret);
    const chain = served?.certificates ?? linkedChain(socket);
    return {
      protocol: socket.getProtocol() ?? 'unknown',
      cipher: socket.getCipher().standardName,
      chain,
      ocspResponse: seen.ocspResponse,
    };
  } catch (error) {
    const served = readServedChain(stream.transcript, seen.secret);
    // For example, a server that requires a client certificate has already sent its own certificate.
    if (served && isChain(served)) return { protocol: served.protocol, chain: served.certificates };
    throw failureOf(error, true);
  } finally {
    socket.on('error', () => undefined);
    // Closes the TLS connection cleanly if possible, then frees OpenSSL memory, which would otherwise be retained for a
    // long time.
    socket.end();
    await destroySocket(socket);
  }
}

const destroySocket = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve) => {
    inTurn(() => {
      socket.destroy();
      resolve();
    });
  });

function waitUntilSecure(socket: TLSSocket, stream: LimitedStream): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = (): void => reject(failureOf(stream.errored ?? socket.errored, true));
  socket.once('secureConnect', resolve);
  socket.once('error', reject);
  socket.once('close', ended);
  stream.once('error', reject);
  stream.once('close', ended);
  return promise;
}

/** Returns whether all certificates can be parsed. This is checked because OpenSSL did not finish parsing them. */
function isChain({ certificates }: ServedChain): boolean {
  try {
    return certificates.map((der) => new X509Certificate(der)).length > 0;
  } catch {
    return false;
  }
}

/** Chain as linked by node:tls, for handshake formats that are not parsed here. */
function linkedChain(socket: TLSSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate) {
    chain.push(Uint8Array.from(certificate.raw));
    certificate = certificate.issuerCertificate === certificate ? undefined : certificate.issuerCertificate;
  }
  return chain;
}
