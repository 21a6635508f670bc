// What happens to a body that nobody reads, because the answer was clear without it. The client is still sending: a connection
// that is closed then takes the answer along with it, so the rest is received, thrown away and bounded.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A body of the largest kind that is read anywhere, and a little more. */
const REST_LIMIT_BYTES = 20 * 1024 * 1024;
const REST_LIMIT_MS = 5_000;
const WATCH_MS = 100;

/** `Expect: 100-continue` (RFC 9110 §10.1.1): such a client sends its body when it is asked to, which is when somebody reads it. */
const continued = new WeakSet<IncomingMessage>();

export function handleUnreadBodies(server: FastifyInstance): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (expectsContinue(request)) {
      continued.add(request.raw);
      reply.raw.writeContinue();
    }
    done();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request) && !isRead(request.raw)) settleConnection(request, reply);
    done();
  });
}

function settleConnection(request: FastifyRequest, reply: FastifyReply): void {
  // Nothing is on its way yet, and what comes next on the connection could be a body or another request.
  if (expectsContinue(request) && !continued.has(request.raw)) void reply.header('connection', 'close');
  else {
    // Node ends a connection that is not kept as soon as the answer is written, which is too early here.
    const isKept = reply.raw.shouldKeepAlive && reply.getHeader('connection') === undefined;
    reply.raw.shouldKeepAlive = true;
    reply.removeHeader('connection');
    reply.raw.once('finish', () => receiveRest(request.raw, { isKept }));
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const isRead = (request: IncomingMessage): boolean => request.complete || request.readableEnded;

const expectsContinue = ({ headers }: FastifyRequest): boolean => headers.expect?.toLowerCase() === '100-continue';

/** Node throws away what arrives of a body that nobody reads. Whoever sends on without end loses the connection. */
function receiveRest(request: IncomingMessage, { isKept }: { readonly isKept: boolean }): void {
  const { socket } = request;
  const lastByte = socket.bytesRead + REST_LIMIT_BYTES;
  let looksLeft = REST_LIMIT_MS / WATCH_MS;
  const watch = setInterval(() => {
    looksLeft -= 1;
    if (isRead(request) || socket.destroyed) {
      clearInterval(watch);
      if (!isKept) socket.destroySoon();
    } else if (socket.bytesRead > lastByte || looksLeft === 0) {
      clearInterval(watch);
      socket.destroy();
    }
  }, WATCH_MS).unref();
}
