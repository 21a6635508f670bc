// What happens to a body that nobody reads, because the answer was clear without it. The client is still sending: a
// connection that is closed then takes the answer along with it. So the rest is received and thrown away, for a while,
// and slowly: all such bodies together get a small share of the process, however many there are.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What is received of all unread bodies together: 25 MB a second, which costs less than a tenth of a core. */
const TURN_BYTES = 128 * 1024;
const TURN_MS = 5;
/** Whoever is still sending then loses the connection. */
const PATIENCE_MS = 5_000;
/**
 * Connections that are treated so at once; each keeps some 200 KB. Beyond, a connection ends with its answer, which its
 * client may then not get to read: only a flood comes so far.
 */
const MAX_WAITING = 32;

/**
 * `Expect: 100-continue` (RFC 9110 §10.1.1): such a client sends its body when it is asked to, which is when somebody
 * reads it.
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
  // Nothing is on its way yet, and what comes next on the connection could be a body or another request.
  if (expectsContinue(request) && !continued.has(request.raw)) {
    void reply.header('connection', 'close');
    return;
  }
  // Node ends a connection that is not kept as soon as the answer is written, which is too early here. Whether it is
  // kept is for the client to say: it is told nothing else, and would lose its next request on a connection that ends.
  const isKept = reply.raw.shouldKeepAlive;
  reply.raw.shouldKeepAlive = true;
  reply.removeHeader('connection');
  // Node throws away at full speed what nobody has begun to read; whoever has begun reads on when it likes.
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

  /** Whoever had a turn stands at the end again. */
  function takeTurn(): void {
    let left = TURN_BYTES;
    const order = Array.from(waiting);
    for (const request of order) {
      if (left <= 0) return;
      const chunk = request.read() as Buffer | null; // no encoding is set
      left -= chunk?.length ?? 0;
      waiting.delete(request);
      waiting.add(request);
    }
  }

  function leave(request: IncomingMessage): void {
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
      leave(request);
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
