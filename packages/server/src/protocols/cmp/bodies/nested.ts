// Messages that hold others (RFC 9810 §5.1.3.4, RFC 9483 §5.2.2): a registration authority adds its protection to one,
// or passes on several as a batch. Each inner message is served as if it had come by itself.
import { equalBytes, isPkiError, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import type { CmpCall, CmpReply } from '../call.ts';
import { signsAnswers } from '../messages/write-message.ts';
import { CmpRefusal } from '../refusal.ts';

/** In one message from outside, at whatever depth. */
const MAX_INNER_MESSAGES = 100;
/** One authority may collect what another one protected. */
const MAX_LEVELS = 2;
/** Of a batch, served at the same time. */
const AT_ONCE = 8;

/** Serves a message that another one holds, and answers its answer. Never throws but for faults of the platform. */
export type ServeInner = (der: Uint8Array) => Promise<Uint8Array>;

/** The answer to one message is its own answer; the answer to a batch holds theirs in the same order. */
export async function passOn(
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
  // RFC 9483 §5.2.2: what holds a batch is protected; no secret is shared with registration authorities.
  if (!signsAnswers(call.profile))
    throw new CmpRefusal('badRequest', 'The profile signs no answers, so it takes no batches; send one message each.');
  return { body: { type: 'nested', messages: await serveInOrder(messages, serveInner) } };
}

async function serveInOrder(messages: readonly Uint8Array[], serveInner: ServeInner): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = [];
  for (let index = 0; index < messages.length; index += AT_ONCE)
    answers.push(...(await Promise.all(messages.slice(index, index + AT_ONCE).map(serveInner))));
  return answers;
}

/** Looks at all levels before anything is done. */
function assertBounded(messages: readonly Uint8Array[]): void {
  if (countOf(messages, 1) > MAX_INNER_MESSAGES)
    throw new CmpRefusal('badRequest', `One message may hold ${MAX_INNER_MESSAGES} others; send them in several.`);
}

function countOf(messages: readonly Uint8Array[], level: number): number {
  const held = messages.map(messagesIn);
  if (level === MAX_LEVELS && held.some((inner) => inner !== undefined))
    throw new CmpRefusal('badRequest', `Messages may be held by others on ${MAX_LEVELS} levels, and not on more.`);
  return held.reduce((count, inner) => count + (inner ? countOf(inner, level + 1) : 1), 0);
}

/** What a message holds; undefined where it is none that holds others, or cannot be read and will be refused. */
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

/** RFC 9483 §5.2.2.1: what adds protection to one message belongs to its transaction. */
function assertRepeats(outer: PkiHeader, inner: PkiHeader): void {
  if (!isSame(outer.transactionId, inner.transactionId))
    throw new CmpRefusal('badRequest', 'The transactionID is not that of the message inside.');
  if (!isSame(outer.senderNonce, inner.senderNonce))
    throw new CmpRefusal('badSenderNonce', 'The senderNonce is not that of the message inside.');
  if (outer.recipientNonce && !isSame(outer.recipientNonce, inner.recipientNonce))
    throw new CmpRefusal('badRecipientNonce', 'The recipNonce is not that of the message inside.');
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && equalBytes(one, other);

/** RFC 9483 §5.2.2.2: a batch has a transaction of its own, and so has each message in it. */
function assertDistinct(outer: PkiHeader, messages: readonly Uint8Array[]): void {
  const headers = [outer, ...messages.flatMap((der) => read(der)?.header ?? [])];
  if (hasRepeated(headers.map(({ transactionId }) => transactionId)))
    throw new CmpRefusal('badRequest', 'A batch and each message in it have different transactionIDs.');
  if (hasRepeated(headers.map(({ senderNonce }) => senderNonce)))
    throw new CmpRefusal('badSenderNonce', 'A batch and each message in it have different senderNonces.');
}

function hasRepeated(identifiers: readonly (Uint8Array | undefined)[]): boolean {
  const given = identifiers.flatMap((each) => (each ? [Buffer.from(each).toString('hex')] : []));
  return new Set(given).size < given.length;
}
