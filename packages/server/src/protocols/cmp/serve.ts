// Serves one message: parses it, checks the profile and the header, determines the sender, performs the request in the
// body, and protects the response. Every response is a CMP message, even after an error.
import { randomBytes } from 'node:crypto';
import { buildName, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import { CMP_SIGNING, type ServedCmpProfile, type ServedCmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { requestCertificate, type RequestParts } from './bodies/certificates.ts';
import { confirm, end, poll, type FollowUpParts } from './bodies/follow-ups.ts';
import { respondToInfos, type GeneralParts } from './bodies/general.ts';
import { forwardMessages, type ServeInner } from './bodies/nested.ts';
import { revoke } from './bodies/revoke.ts';
import { nameOfSender, type CmpCall, type CmpReply, type Sender } from './call.ts';
import { senderOf, type SenderParts } from './messages/sender.ts';
import { signsResponses, writeMessage, type WriteParts } from './messages/write-message.ts';
import { toRejection, CmpRejection, errorBody } from './rejection.ts';

/** RFC 9483 §3.1: 128 bits. */
const NONCE_OCTETS = 16;
const MIN_IDENTIFIER = 16;
const MAX_IDENTIFIER = 64;

export interface ServeParts {
  readonly platform: Pick<Platform, 'clock' | 'log'>;
  readonly profiles: ServedCmpProfiles;
  readonly enrollments: Enrollments;
  readonly derivations: SenderParts['derivations'];
  readonly certificates: FollowUpParts['certificates'] & SenderParts['certificates'];
  readonly chains: FollowUpParts['chains'] & GeneralParts['chains'];
  readonly findRevocation: SenderParts['findRevocation'];
  readonly raProfiles: GeneralParts['raProfiles'] & RequestParts['raProfiles'];
  readonly revocation: GeneralParts['revocation'];
  readonly signingCertificates: WriteParts['signingCertificates'];
}

/** Data known about a message so far. */
interface Progress {
  message?: PkiMessage;
  profile?: ServedCmpProfile;
  sender?: Sender;
}

/** Serves a message. Throws only if the platform fails. */
export const serve = (
  parts: ServeParts,
  received: { readonly place: ServedEndpoint; readonly der: Uint8Array },
  context: RequestContext,
): Promise<Uint8Array> => serveAt(parts, { ...received, level: 0 }, context);

async function serveAt(
  parts: ServeParts,
  { place, der, level }: { readonly place: ServedEndpoint; readonly der: Uint8Array; readonly level: number },
  context: RequestContext,
): Promise<Uint8Array> {
  const nonce = randomBytes(NONCE_OCTETS);
  const progress: Progress = {};
  const { clock } = parts.platform;
  const write = (reply: CmpReply): Promise<Uint8Array> => {
    const { message, profile, sender } = progress;
    const request = message?.header ?? NOBODYS;
    return writeMessage({ clock, ...parts }, { request, reply, nonce, profile, sender });
  };
  try {
    progress.message = parsePkiMessage(der);
    const call = await evaluate(parts, progress, { message: progress.message, place, nonce, level, context });
    const serveInner: ServeInner = (message) => serveAt(parts, { place, der: message, level: level + 1 }, context);
    const answer = await handle(parts, call, serveInner);
    return answer instanceof Uint8Array ? answer : await write(answer);
  } catch (error) {
    const refusal = toRejection(error) ?? faultOf(parts, error);
    await recordRejection(parts, progress, refusal);
    return write({ body: errorBody(refusal) }).catch((problem: unknown) => {
      // The certificate that signs responses cannot be used: an unprotected error message is better than none.
      parts.platform.log.error({ error: problem }, 'cannot protect a CMP response');
      delete progress.profile;
      return write({ body: errorBody(refusal) });
    });
  }
}

/** Returns the response to a request that contains no message. */
export const reject = ({ platform, signingCertificates }: ServeParts, refusal: CmpRejection): Promise<Uint8Array> =>
  writeMessage(
    { clock: platform.clock, signingCertificates },
    {
      request: NOBODYS,
      reply: { body: errorBody(refusal) },
      nonce: randomBytes(NONCE_OCTETS),
      profile: undefined,
      sender: undefined,
    },
  );

/** Header that is responded to if the message's header could not be parsed. */
const NOBODYS: PkiHeader = {
  pvno: 2,
  sender: { kind: 'directoryName', name: buildName([]) },
  recipient: { kind: 'directoryName', name: buildName([]) },
  protectionAlgorithm: undefined,
  freeText: [],
  generalInfo: [],
};

function faultOf({ platform }: ServeParts, error: unknown): CmpRejection {
  platform.log.error({ error }, 'cannot serve a CMP message');
  return new CmpRejection('systemFailure', 'Internal server error; see the server log.', { cause: error });
}

interface ReceivedMessage {
  readonly message: PkiMessage;
  readonly place: ServedEndpoint;
  readonly nonce: Uint8Array;
  readonly level: number;
  readonly context: RequestContext;
}

async function evaluate(parts: ServeParts, progress: Progress, received: ReceivedMessage): Promise<CmpCall> {
  const { place, ...rest } = received;
  const { message } = rest;
  const profile = await profileAt(parts, place);
  progress.profile = profile;
  const raProfile = issuingProfileOf(profile);
  const transactionId = checkHeader(message.header, profile);
  const address = rest.context.source?.ipAddress;
  const judged = { message, profile, raProfileUuid: raProfile.uuid, transactionId, address };
  const sender = await senderOf({ ...parts, clock: parts.platform.clock }, judged);
  progress.sender = sender;
  await assertCanRespond(parts, profile);
  return { ...rest, body: readPkiBody(message), profile, raProfile, sender, transactionId };
}

async function profileAt({ profiles }: ServeParts, { family, name }: ServedEndpoint): Promise<ServedCmpProfile> {
  const profile = await profiles.find(family, name);
  const whose = family === 'profile' ? 'the CMP profile' : 'the RA profile';
  if (!profile) throw new CmpRejection('badRequest', `CMP is not served for ${whose} ${name.slice(0, 100)}.`);
  if (!profile.enabled) throw new CmpRejection('systemUnavail', `The CMP profile ${profile.name} is disabled.`);
  return profile;
}

function issuingProfileOf({ name, raProfile }: ServedCmpProfile): CmpCall['raProfile'] {
  if (!raProfile) throw new CmpRejection('systemUnavail', `The CMP profile ${name} has no RA profile.`);
  if (!raProfile.enabled) throw new CmpRejection('systemUnavail', `The RA profile ${raProfile.name} is disabled.`);
  if (raProfile.authorityUuid === undefined)
    throw new CmpRejection('systemUnavail', `The RA profile ${raProfile.name} no longer has an authority.`);
  return { ...raProfile, authorityUuid: raProfile.authorityUuid };
}

/** Rejects a message before doing any work if the response could not be signed. */
async function assertCanRespond({ signingCertificates }: ServeParts, profile: ServedCmpProfile): Promise<void> {
  if (signsResponses(profile)) await signingCertificates.reach(profile.signingCertificateUuid, CMP_SIGNING);
}

/** Checks the header and returns the transactionID in hex (RFC 9483 §3.1). */
function checkHeader({ pvno, transactionId, senderNonce }: PkiHeader, { variant }: ServedCmpProfile): string {
  if (pvno !== 2 && pvno !== 3)
    throw new CmpRejection('unsupportedVersion', `CMP version ${pvno} is not supported; use version 2.`);
  if (pvno === 3 && variant !== 'v3')
    throw new CmpRejection(
      'unsupportedVersion',
      'The profile supports only CMP version 2; the variant v3 also supports version 3.',
    );
  if (!transactionId || transactionId.length < MIN_IDENTIFIER || transactionId.length > MAX_IDENTIFIER)
    throw new CmpRejection('badDataFormat', 'The transactionID must have 16 to 64 bytes.');
  if (!senderNonce || senderNonce.length < MIN_IDENTIFIER)
    throw new CmpRejection('badSenderNonce', 'The senderNonce must have at least 16 bytes.');
  return Buffer.from(transactionId).toString('hex');
}

/** Returns a reply to be written, or a message that has already been written. */
async function handle(parts: ServeParts, call: CmpCall, inner: ServeInner): Promise<CmpReply | Uint8Array> {
  const { body } = call;
  switch (body.type) {
    case 'ir':
    case 'cr':
    case 'kur':
      return requestCertificate(parts, call, { type: body.type, requests: body.requests });
    case 'p10cr':
      return requestCertificate(parts, call, body);
    case 'certConf':
      return confirm(parts, call, body);
    case 'pollReq':
      return poll(parts, call, body);
    case 'rr':
      return revoke(parts, call, body);
    case 'genm':
      return respondToInfos(parts, call, body.infos);
    case 'error':
      return end(parts, call, body);
    case 'nested':
      return forwardMessages(call, body.messages, inner);
    default:
      throw new CmpRejection('badRequest', `Messages of type ${body.type} are not supported.`);
  }
}

async function recordRejection({ enrollments }: ServeParts, progress: Progress, refusal: CmpRejection): Promise<void> {
  const { message, profile, sender } = progress;
  if (!profile) return;
  await enrollments.recordRejection({
    protocol: 'cmp',
    profile,
    transactionId: Buffer.from(message?.header.transactionId ?? []).toString('hex'),
    kind: message?.bodyType ?? '',
    requester: sender ? nameOfSender(sender) : 'not authenticated',
    problem: refusal.message,
  });
}
