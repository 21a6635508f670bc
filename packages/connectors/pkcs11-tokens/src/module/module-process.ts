// Process of one PKCS #11 library: native code that hangs or crashes affects only this process. It receives the library
// path as its only argument and requests as messages, and ends with its parent process.
import { CKR } from './constants.ts';
import { loadBinding, type Cryptoki } from './cryptoki.ts';
import { codeOf, failureOf } from './failures.ts';
import { createLibrary, initialize, type LibraryHandlers } from './library.ts';
import type { ResponseMessage, ModuleMessage, RequestMessage } from './protocol.ts';

const [, , path = ''] = process.argv;
const send = (message: ModuleMessage): void => void process.send?.(message);

/**
 * Responses from this turn of the event loop. They are sent in a single message, because each message wakes the
 * platform.
 */
let outbox: ResponseMessage[] = [];

function sendOutbox(): void {
  if (outbox.length > 0) send(outbox);
  outbox = [];
}

function sendResponse(message: ResponseMessage): void {
  outbox.push(message);
  if (outbox.length === 1) setImmediate(sendOutbox);
}

function start(): void {
  let cryptoki: Cryptoki;
  try {
    cryptoki = loadBinding();
  } catch (error) {
    return send({ state: 'failed', part: 'binding', message: describeError(error) });
  }
  try {
    cryptoki.load(path);
    initialize(cryptoki);
  } catch (error) {
    return send({ state: 'failed', part: 'library', message: describeError(error) });
  }
  const library = createLibrary(cryptoki);
  process.on('message', (message) => {
    // Only our own code sends messages.
    for (const request of message as readonly RequestMessage[]) void respond(library, request);
  });
  process.on('disconnect', () => {
    try {
      cryptoki.C_Finalize();
    } finally {
      process.exit(0);
    }
  });
  send({ state: 'ready' });
}

async function respond(library: LibraryHandlers, { id, operation, request }: RequestMessage): Promise<void> {
  const handle: (request: never) => unknown = library[operation];
  try {
    sendResponse({ id, answer: await handle(request as never) }); // Both sides share the declaration of the operations.
  } catch (error) {
    if (codeOf(error) === CKR.cryptokiNotInitialized) {
      sendOutbox();
      process.exit(1);
    }
    sendResponse({ id, failure: failureOf(error) });
  }
}

const describeError = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0] : '') ?? '';

start();
