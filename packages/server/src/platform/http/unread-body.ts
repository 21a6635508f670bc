// Handles the bodies of requests that are rejected before they are read. The client is still sending, and closing the
// connection immediately would lose the response. The rest of the body is therefore received and discarded slowly and
// for a limited time: all such bodies together get a small share of the process, regardless of their number.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Bytes received per turn from all unread bodies together: 25 MB/s, which costs less than a tenth of a core. */
const TURN_BYTES = 128 * 1024;
const TURN_MS = 5;
/** A client that is still sending after this time is disconnected. */
const PATIENCE_MS = 5_000;
/**
 * Maximum number of connections handled this way simultaneously; each uses about 200 KB. Any further connection is
 * closed right after its response, which the client may then not receive: only a flood reaches this limit.
 */
const MAX_WAITING = 32;

/**
 * Requests with `Expect: 100-continue` (RFC 9110 §10.1.1): the client sends its body only when told to continue, which
 * happens when the body is read.
 */
const continued = new WeakSet<IncomingMessage>();

export function handleUnreadBodies(server: FastifyInstance): void {
  const receiveRest = createRestReceiver();
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (expectsContinue(request)) {
      continued.add(request.raw);
      reply.raw.writeContinue();
    }
    done();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request) && !isRead(request.raw)) settleConnection(request, { reply, receiveRest });
    done();
  });
}

type ReceiveRest = (request: IncomingMessage, after: { readonly isKept: boolean }) => void;

function settleConnection(
  request: FastifyRequest,
  { reply, receiveRest }: { readonly reply: FastifyReply; readonly receiveRest: ReceiveRest },
): void {
  // The client has sent no body yet, and the next data on the connection could be a body or a new request.
  if (expectsContinue(request) && !continued.has(request.raw)) {
    void reply.header('connection', 'close');
    return;
  }
  // Node closes a connection without keep-alive as soon as the response is written, which is too early here. If the
  // client chose keep-alive, the connection stays open: the client is not told otherwise, and would lose its next
  // request on a closed connection.
  const isKept = reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  reply.removeHeader('connection');
  // Node discards an unread body at full speed; once reading has started, the reader sets the pace.
  request.raw.pause();
  request.raw.read(0);
  reply.raw.once('finish', () => receiveRest(request.raw, { isKept }));
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isRead = (request: IncomingMessage): boolean => request.readableEnded;

const expectsContinue = ({ headers }: FastifyRequest): boolean => headers.expect?.toLowerCase() === '100-continue';

function createRestReceiver(): ReceiveRest {
  const waiting = new Set<IncomingMessage>();
  let turns: NodeJS.Timeout | undefined;

  /** Serves requests round robin: each one moves to the end after its turn. */
  function takeTurn(): void {
    let left = TURN_BYTES;
    const order = Array.from(waiting);
    for (const request of order) {
      if (left <= 0) return;
      const chunk = request.read() as Buffer | null; // Without an encoding, `read` returns buffers.
      left -= chunk?.length ?? 0;
      waiting.delete(request);
      waiting.add(request);
    }
  }

  function removeWaiting(request: IncomingMessage): void {
    waiting.delete(request);
    if (waiting.size > 0) return;
    clearInterval(turns);
    turns = undefined;
  }

  return (request, { isKept }) => {
    const { socket } = request;
    if (waiting.size >= MAX_WAITING) {
      socket.destroySoon();
      return;
    }
    const cut = setTimeout(() => socket.destroy(), PATIENCE_MS).unref();
    const settle = (): void => {
      clearTimeout(cut);
      removeWaiting(request);
    };
    request.once('close', settle);
    request.once('end', () => {
      settle();
      if (!isKept) socket.destroySoon();
    });
    waiting.add(request);
    turns ??= setInterval(takeTurn, TURN_MS).unref();
  };
}
