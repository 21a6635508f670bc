// Serves one message: parses it, checks the profile and the header, determines the sender, performs the request in the
// body, and protects the response. Every response is a CMP message, even after an error.
import { randomBytes } from 'node:crypto';
import { buildName, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import { CMP_SIGNING, type ServedCmpProfile, type ServedCmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { ServedEndpoint } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { respondToRequest, type RequestParts } from './bodies/certificates.ts';
import { confirm, end, poll, type FollowUpParts } from './bodies/follow-ups.ts';
import { respondToInfos, type GeneralParts } from './bodies/general.ts';
import { forwardMessages, type ServeInner } from './bodies/nested.ts';
import { revoke } from './bodies/revoke.ts';
import { nameOfSender, type CmpCall, type CmpReply, type Sender } from './call.ts';
import { checkHeader, checkVersion } from './messages/header-checks.ts';
import { senderOf, type SenderParts } from './messages/sender.ts';
import { signsResponses, writeMessage, type WriteParts } from './messages/write-message.ts';
import { toRejection, CmpRejection, errorBody } from './rejection.ts';

/** RFC 9483 §3.1: 128 bits. */
const NONCE_OCTETS = 16;

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
    const record = (refusal: CmpRejection): Promise<void> =>
      recordRejection(parts, { progress, refusal, place, context });
    const answer = await handle(parts, call, { inner: serveInner, record });
    return answer instanceof Uint8Array ? answer : await write(answer);
  } catch (error) {
    const refusal = toRejection(error) ?? faultOf(parts, error);
    await recordRejection(parts, { progress, refusal, place, context });
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
  const { message, level } = rest;
  const { clock } = parts.platform;
  const profile = await profileAt(parts, place);
  progress.profile = profile;
  const raProfile = issuingProfileOf(profile);
  checkVersion(message.header, profile);
  const transactionId = Buffer.from(message.header.transactionId ?? []).toString('hex');
  const address = rest.context.source?.ipAddress;
  const judged = { message, profile, raProfileUuid: raProfile.uuid, transactionId, address };
  const problem = rejectionOf(() => checkHeader({ message, profile, level, nowMs: clock.now().getTime() }));
  try {
    progress.sender = await senderOf({ ...parts, clock }, judged);
  } catch (error) {
    throw problem ?? error;
  }
  // The sender is determined first, so that this rejection is protected like every other response.
  if (problem) throw problem;
  await assertCanRespond(parts, { profile, request: message.header });
  return { ...rest, body: readPkiBody(message), profile, raProfile, sender: progress.sender, transactionId };
}

function rejectionOf(check: () => void): CmpRejection | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const rejection = toRejection(error);
    if (rejection) return rejection;
    throw error;
  }
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
async function assertCanRespond(
  { signingCertificates }: ServeParts,
  { profile, request }: { readonly profile: ServedCmpProfile; readonly request: PkiHeader },
): Promise<void> {
  if (signsResponses(profile, request)) await signingCertificates.reach(profile.signingCertificateUuid, CMP_SIGNING);
}

/** Returns a reply to be written, or a message that has already been written. */
async function handle(
  parts: ServeParts,
  call: CmpCall,
  { inner, record }: { readonly inner: ServeInner; readonly record: (rejection: CmpRejection) => Promise<void> },
): Promise<CmpReply | Uint8Array> {
  const { body } = call;
  switch (body.type) {
    case 'ir':
    case 'cr':
    case 'kur':
      return respondToRequest(parts, call, { body: { type: body.type, requests: body.requests }, record });
    case 'p10cr':
      return respondToRequest(parts, call, { body, record });
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

/** Records the rejection, also of a message that could not be read; its profile is known from the URL. */
async function recordRejection(
  { enrollments, profiles }: ServeParts,
  rejected: {
    readonly progress: Progress;
    readonly refusal: CmpRejection;
    readonly place: ServedEndpoint;
    readonly context: RequestContext;
  },
): Promise<void> {
  const { progress, refusal, place, context } = rejected;
  const { message, sender } = progress;
  const profile = progress.profile ?? (await profiles.find(place.family, place.name));
  if (!profile) return;
  await enrollments.recordRejection({
    protocol: 'cmp',
    profile,
    transactionId: Buffer.from(message?.header.transactionId ?? []).toString('hex'),
    kind: message?.bodyType ?? '',
    requester: sender ? nameOfSender(sender) : 'not authenticated',
    problem: refusal.message,
    address: context.source?.ipAddress,
  });
}
