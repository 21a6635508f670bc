// Serves one message: parses it, checks the profile and the header, determines the sender, performs the request in the
// body, and protects the response. Every response is a CMP message, even after an error.
import { randomBytes } from 'node:crypto';
import { buildName, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import { CMP_SIGNING, type ServedCmpProfile, type ServedCmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { ServedPlace } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { askForCertificate, type AskingParts } from './bodies/certificates.ts';
import { confirm, end, poll, type FollowUpParts } from './bodies/follow-ups.ts';
import { tell, type GeneralParts } from './bodies/general.ts';
import { passOn, type ServeInner } from './bodies/nested.ts';
import { revoke } from './bodies/revoke.ts';
import { nameOfSender, type CmpCall, type CmpReply, type Sender } from './call.ts';
import { senderOf, type SenderParts } from './messages/sender.ts';
import { signsAnswers, writeMessage, type WriteParts } from './messages/write-message.ts';
import { asRefusal, CmpRefusal, errorBody } from './refusal.ts';

/** RFC 9483 §3.1: 128 bits. */
const NONCE_OCTETS = 16;
const MIN_IDENTIFIER = 16;
const MAX_IDENTIFIER = 64;

export interface ServeParts {
  readonly platform: Pick<Platform, 'clock' | 'log'>;
  readonly profiles: ServedCmpProfiles;
  readonly enrolments: Enrolments;
  readonly derivations: SenderParts['derivations'];
  readonly certificates: FollowUpParts['certificates'] & SenderParts['certificates'];
  readonly chains: FollowUpParts['chains'] & GeneralParts['chains'];
  readonly findRevocation: SenderParts['findRevocation'];
  readonly raProfiles: GeneralParts['raProfiles'] & AskingParts['raProfiles'];
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
  received: { readonly place: ServedPlace; readonly der: Uint8Array },
  context: RequestContext,
): Promise<Uint8Array> => serveAt(parts, { ...received, level: 0 }, context);

async function serveAt(
  parts: ServeParts,
  { place, der, level }: { readonly place: ServedPlace; readonly der: Uint8Array; readonly level: number },
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
    const call = await judge(parts, progress, { message: progress.message, place, nonce, level, context });
    const inner: ServeInner = (message) => serveAt(parts, { place, der: message, level: level + 1 }, context);
    const answer = await handle(parts, call, inner);
    return answer instanceof Uint8Array ? answer : await write(answer);
  } catch (error) {
    const refusal = asRefusal(error) ?? faultOf(parts, error);
    await note(parts, progress, refusal);
    return write({ body: errorBody(refusal) }).catch((problem: unknown) => {
      // The certificate that signs responses cannot be used: an unprotected error message is better than none.
      parts.platform.log.error({ error: problem }, 'cannot protect a CMP response');
      delete progress.profile;
      return write({ body: errorBody(refusal) });
    });
  }
}

/** Returns the response to a request that contains no message. */
export const refuse = ({ platform, signingCertificates }: ServeParts, refusal: CmpRefusal): Promise<Uint8Array> =>
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

function faultOf({ platform }: ServeParts, error: unknown): CmpRefusal {
  platform.log.error({ error }, 'cannot serve a CMP message');
  return new CmpRefusal('systemFailure', 'Internal server error; see the server log.', { cause: error });
}

interface Received {
  readonly message: PkiMessage;
  readonly place: ServedPlace;
  readonly nonce: Uint8Array;
  readonly level: number;
  readonly context: RequestContext;
}

async function judge(parts: ServeParts, progress: Progress, received: Received): Promise<CmpCall> {
  const { place, ...rest } = received;
  const { message } = rest;
  const profile = await profileAt(parts, place);
  progress.profile = profile;
  const raProfile = issuingOf(profile);
  const transactionId = checkHeader(message.header, profile);
  const address = rest.context.source?.ipAddress;
  const judged = { message, profile, raProfileUuid: raProfile.uuid, transactionId, address };
  const sender = await senderOf({ ...parts, clock: parts.platform.clock }, judged);
  progress.sender = sender;
  await assertAnswerable(parts, profile);
  return { ...rest, body: readPkiBody(message), profile, raProfile, sender, transactionId };
}

async function profileAt({ profiles }: ServeParts, { family, name }: ServedPlace): Promise<ServedCmpProfile> {
  const profile = await profiles.find(family, name);
  const whose = family === 'profile' ? 'the CMP profile' : 'the RA profile';
  if (!profile) throw new CmpRefusal('badRequest', `CMP is not served for ${whose} ${name.slice(0, 100)}.`);
  if (!profile.enabled) throw new CmpRefusal('systemUnavail', `The CMP profile ${profile.name} is disabled.`);
  return profile;
}

function issuingOf({ name, raProfile }: ServedCmpProfile): CmpCall['raProfile'] {
  if (!raProfile) throw new CmpRefusal('systemUnavail', `The CMP profile ${name} has no RA profile.`);
  if (!raProfile.enabled) throw new CmpRefusal('systemUnavail', `The RA profile ${raProfile.name} is disabled.`);
  if (raProfile.authorityUuid === undefined)
    throw new CmpRefusal('systemUnavail', `The RA profile ${raProfile.name} no longer has an authority.`);
  return { ...raProfile, authorityUuid: raProfile.authorityUuid };
}

/** Rejects a message before doing any work if the response could not be signed. */
async function assertAnswerable({ signingCertificates }: ServeParts, profile: ServedCmpProfile): Promise<void> {
  if (signsAnswers(profile)) await signingCertificates.reach(profile.signingCertificateUuid, CMP_SIGNING);
}

/** Checks the header and returns the transactionID in hex (RFC 9483 §3.1). */
function checkHeader({ pvno, transactionId, senderNonce }: PkiHeader, { variant }: ServedCmpProfile): string {
  if (pvno !== 2 && pvno !== 3)
    throw new CmpRefusal('unsupportedVersion', `CMP version ${pvno} is not supported; use version 2.`);
  if (pvno === 3 && variant !== 'v3')
    throw new CmpRefusal(
      'unsupportedVersion',
      'The profile supports only CMP version 2; the variant v3 also supports version 3.',
    );
  if (!transactionId || transactionId.length < MIN_IDENTIFIER || transactionId.length > MAX_IDENTIFIER)
    throw new CmpRefusal('badDataFormat', 'The transactionID must have 16 to 64 bytes.');
  if (!senderNonce || senderNonce.length < MIN_IDENTIFIER)
    throw new CmpRefusal('badSenderNonce', 'The senderNonce must have at least 16 bytes.');
  return Buffer.from(transactionId).toString('hex');
}

/** Returns a reply to be written, or a message that has already been written. */
async function handle(parts: ServeParts, call: CmpCall, inner: ServeInner): Promise<CmpReply | Uint8Array> {
  const { body } = call;
  switch (body.type) {
    case 'ir':
    case 'cr':
    case 'kur':
      return askForCertificate(parts, call, { type: body.type, requests: body.requests });
    case 'p10cr':
      return askForCertificate(parts, call, body);
    case 'certConf':
      return confirm(parts, call, body);
    case 'pollReq':
      return poll(parts, call, body);
    case 'rr':
      return revoke(parts, call, body);
    case 'genm':
      return tell(parts, call, body.infos);
    case 'error':
      return end(parts, call, body);
    case 'nested':
      return passOn(call, body.messages, inner);
    default:
      throw new CmpRefusal('badRequest', `Messages of type ${body.type} are not supported.`);
  }
}

async function note({ enrolments }: ServeParts, progress: Progress, refusal: CmpRefusal): Promise<void> {
  const { message, profile, sender } = progress;
  if (!profile) return;
  await enrolments.noteRefusal({
    protocol: 'cmp',
    profile,
    transactionId: Buffer.from(message?.header.transactionId ?? []).toString('hex'),
    kind: message?.bodyType ?? '',
    requester: sender ? nameOfSender(sender) : 'not authenticated',
    problem: refusal.message,
  });
}
