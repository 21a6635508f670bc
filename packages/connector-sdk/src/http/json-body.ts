// Reads the JSON body of a request, within limits.
import { dropNulls } from '@signetry/contract';
import type { IncomingMessage } from 'node:http';

/** Maximum body size. Bodies contain files and certificate chains; nothing in the interface is larger. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum nesting depth of a body: credentials inside attributes need about ten levels. */
const MAX_JSON_DEPTH = 64;

export class BodyError extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.name = 'BodyError';
    this.status = status;
  }
}

/** Returns `undefined` for an empty body. Throws `BodyError`. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  rejectEncodings(request);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  rejectOtherMedia(request);
  const text = decodeUtf8(bytes);
  rejectDeepNesting(text);
  try {
    return JSON.parse(text, dropNulls) as unknown;
  } catch {
    throw new BodyError(400, 'The body is not valid JSON.');
  }
}

function rejectEncodings(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding && encoding !== 'identity') throw new BodyError(415, 'Compressed bodies are not accepted.');
}

function rejectOtherMedia(request: IncomingMessage): void {
  const media = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (media === undefined || media === 'application/json' || media.endsWith('+json')) return;
  throw new BodyError(415, 'The body must be application/json.');
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (): BodyError => new BodyError(413, `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`);

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError(400, 'The body is not valid UTF-8.');
  }
}

/** Rejects deep nesting before parsing, because the parser itself does not limit the depth. */
function rejectDeepNesting(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH)
        throw new BodyError(400, `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
  }
}

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
