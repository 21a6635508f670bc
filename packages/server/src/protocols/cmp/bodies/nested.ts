// Nested messages (RFC 9810 §5.1.3.4, RFC 9483 §5.2.2): a registration authority adds its protection to one message, or
// forwards multiple messages as a batch. Each inner message is served as if it had been sent separately.
import { equalBytes, isPkiError, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import type { CmpCall, CmpReply } from '../call.ts';
import { signsResponses } from '../messages/write-message.ts';
import { CmpRejection } from '../rejection.ts';

/** Maximum number of inner messages in one outer message, over all levels. */
const MAX_INNER_MESSAGES = 100;
/** Maximum nesting depth: a registration authority can batch messages that a different one has protected. */
const MAX_LEVELS = 2;
/** Number of messages in a batch that are served concurrently. */
const AT_ONCE = 8;

/** Serves an inner message and returns its response. Throws only if the platform fails. */
export type ServeInner = (der: Uint8Array) => Promise<Uint8Array>;

/**
 * Returns the response to a single inner message unchanged; for a batch, the responses in the same order, nested in one
 * message.
 */
export async function forwardMessages(
  call: CmpCall,
  messages: readonly Uint8Array[],
  serveInner: ServeInner,
): Promise<CmpReply | Uint8Array> {
  const { header } = call.message;
  if (call.level === 0) assertBounded(messages);
  const [only, ...others] = messages;
  if (only && others.length === 0) {
    assertRepeats(header, parsePkiMessage(only).header);
    return serveInner(only);
  }
  assertDistinct(header, messages);
  // RFC 9483 §5.2.2 requires a batch to be protected, and no secret is shared with registration authorities.
  if (!signsResponses(call.profile, call.message.header))
    throw new CmpRejection(
      'badRequest',
      'The profile does not sign responses and therefore does not accept batches; send each message separately.',
    );
  return { body: { type: 'nested', messages: await serveInOrder(messages, serveInner) } };
}

async function serveInOrder(messages: readonly Uint8Array[], serveInner: ServeInner): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = [];
  for (let index = 0; index < messages.length; index += AT_ONCE)
    answers.push(...(await Promise.all(messages.slice(index, index + AT_ONCE).map(serveInner))));
  return answers;
}

/** Checks all levels before any message is processed. */
function assertBounded(messages: readonly Uint8Array[]): void {
  if (countOf(messages, 1) > MAX_INNER_MESSAGES)
    throw new CmpRejection(
      'badRequest',
      `A message can contain at most ${MAX_INNER_MESSAGES} others; split them into multiple messages.`,
    );
}

function countOf(messages: readonly Uint8Array[], level: number): number {
  const held = messages.map(messagesIn);
  if (level === MAX_LEVELS && held.some((inner) => inner !== undefined))
    throw new CmpRejection('badRequest', `Messages can be nested at most ${MAX_LEVELS} levels deep.`);
  return held.reduce((count, inner) => count + (inner ? countOf(inner, level + 1) : 1), 0);
}

/** Returns the inner messages; undefined if the message is not nested, or cannot be parsed and will be rejected. */
function messagesIn(der: Uint8Array): readonly Uint8Array[] | undefined {
  const message = read(der);
  if (message?.bodyType !== 'nested') return undefined;
  const body = unlessMalformed(() => readPkiBody(message));
  return body?.type === 'nested' ? body.messages : undefined;
}

const read = (der: Uint8Array): PkiMessage | undefined => unlessMalformed(() => parsePkiMessage(der));

function unlessMalformed<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

/**
 * Requires the outer message to repeat the inner message's identifiers: a message that adds protection to a single
 * message belongs to that message's transaction (RFC 9483 §5.2.2.1).
 */
function assertRepeats(outer: PkiHeader, inner: PkiHeader): void {
  if (!isSame(outer.transactionId, inner.transactionId))
    throw new CmpRejection('badRequest', 'The transactionID does not match that of the inner message.');
  if (!isSame(outer.senderNonce, inner.senderNonce))
    throw new CmpRejection('badSenderNonce', 'The senderNonce does not match that of the inner message.');
  if (outer.recipientNonce && !isSame(outer.recipientNonce, inner.recipientNonce))
    throw new CmpRejection('badRecipientNonce', 'The recipNonce does not match that of the inner message.');
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && equalBytes(one, other);

/**
 * Requires different identifiers for a batch and each message in it, since they are separate transactions (RFC 9483
 * §5.2.2.2).
 */
function assertDistinct(outer: PkiHeader, messages: readonly Uint8Array[]): void {
  const headers = [outer, ...messages.flatMap((der) => read(der)?.header ?? [])];
  if (hasRepeated(headers.map(({ transactionId }) => transactionId)))
    throw new CmpRejection('badRequest', 'A batch and each message in it must have different transactionIDs.');
  if (hasRepeated(headers.map(({ senderNonce }) => senderNonce)))
    throw new CmpRejection('badSenderNonce', 'A batch and each message in it must have different senderNonces.');
}

function hasRepeated(identifiers: readonly (Uint8Array | undefined)[]): boolean {
  const given = identifiers.flatMap((each) => (each ? [Buffer.from(each).toString('hex')] : []));
  return new Set(given).size < given.length;
}
