// One message and its answer: read, judge the profile and the header, find out who sent it, do what its body asks for,
// protect the answer. Every answer is a message of CMP, whatever was wrong.
import { randomBytes } from 'node:crypto';
import { buildName, parsePkiMessage, readPkiBody, type PkiHeader, type PkiMessage } from '@signetry/pki';
import type { ServedCmpProfile, ServedCmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { ServedPlace } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { askForCertificate, type AskingParts } from './bodies/certificates.ts';
import { confirm, end, poll, type FollowUpParts } from './bodies/follow-ups.ts';
import { tell, type GeneralParts } from './bodies/general.ts';
import { revoke } from './bodies/revoke.ts';
import { nameOfSender, type CmpCall, type CmpReply, type Sender } from './call.ts';
import { senderOf } from './messages/sender.ts';
import { writeMessage, type WriteParts } from './messages/write-message.ts';
import { asRefusal, CmpRefusal, errorBody } from './refusal.ts';

/** RFC 9483 §3.1: 128 bits. */
const NONCE_OCTETS = 16;
const MIN_IDENTIFIER = 16;
const MAX_IDENTIFIER = 64;

export interface ServeParts {
  readonly platform: Pick<Platform, 'clock' | 'log'>;
  readonly profiles: ServedCmpProfiles;
  readonly enrolments: Enrolments;
  readonly certificates: FollowUpParts['certificates'] & GeneralParts['certificates'];
  readonly raProfiles: GeneralParts['raProfiles'] & AskingParts['raProfiles'];
  readonly revocation: GeneralParts['revocation'];
  readonly signingCertificates: WriteParts['signingCertificates'];
}

/** What is known of a message so far. */
interface Progress {
  message?: PkiMessage;
  profile?: ServedCmpProfile;
  sender?: Sender;
}

/** Never throws but for faults of the platform. */
export async function serve(
  parts: ServeParts,
  { place, der }: { readonly place: ServedPlace; readonly der: Uint8Array },
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
    const call = await judge(parts, progress, { message: progress.message, place, nonce, context });
    return await write(await handle(parts, call));
  } catch (error) {
    const refusal = asRefusal(error) ?? faultOf(parts, error);
    await note(parts, progress, refusal);
    return write({ body: errorBody(refusal) }).catch((problem: unknown) => {
      // The certificate that signs answers is out of use: the words are worth more than their protection.
      parts.platform.log.error({ error: problem }, 'an answer of CMP could not be protected');
      delete progress.profile;
      return write({ body: errorBody(refusal) });
    });
  }
}

/** The answer to what is no message. */
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

/** The header to answer where none could be read. */
const NOBODYS: PkiHeader = {
  pvno: 2,
  sender: { kind: 'directoryName', name: buildName([]) },
  recipient: { kind: 'directoryName', name: buildName([]) },
  protectionAlgorithm: undefined,
  freeText: [],
  generalInfo: [],
};

function faultOf({ platform }: ServeParts, error: unknown): CmpRefusal {
  platform.log.error({ error }, 'a message of CMP failed');
  return new CmpRefusal('systemFailure', 'The server could not do this; its log says why.', { cause: error });
}

interface Received {
  readonly message: PkiMessage;
  readonly place: ServedPlace;
  readonly nonce: Uint8Array;
  readonly context: RequestContext;
}

async function judge(parts: ServeParts, progress: Progress, received: Received): Promise<CmpCall> {
  const { message, place, nonce, context } = received;
  const profile = await profileAt(parts, place);
  progress.profile = profile;
  const raProfile = issuingOf(profile);
  const transactionId = checkHeader(message.header, profile);
  const judged = { message, profile, raProfileUuid: raProfile.uuid, transactionId };
  const { certificates, enrolments, platform } = parts;
  const sender = await senderOf({ clock: platform.clock, enrolments, certificates: certificates.protocols }, judged);
  progress.sender = sender;
  return { message, body: readPkiBody(message), profile, raProfile, sender, transactionId, nonce, context };
}

async function profileAt({ profiles }: ServeParts, { family, name }: ServedPlace): Promise<ServedCmpProfile> {
  const profile = await profiles.find(family, name);
  const whose = family === 'profile' ? 'the CMP profile' : 'the RA profile';
  if (!profile)
    throw new CmpRefusal('badRequest', `CMP is not served under the name of ${whose} ${name.slice(0, 100)}.`);
  if (!profile.enabled) throw new CmpRefusal('systemUnavail', `The CMP profile ${profile.name} is disabled.`);
  return profile;
}

function issuingOf({ name, raProfile }: ServedCmpProfile): CmpCall['raProfile'] {
  if (!raProfile) throw new CmpRefusal('systemUnavail', `The CMP profile ${name} has no RA profile to issue with.`);
  if (!raProfile.enabled) throw new CmpRefusal('systemUnavail', `The RA profile ${raProfile.name} is disabled.`);
  if (raProfile.authorityUuid === undefined)
    throw new CmpRefusal('systemUnavail', `The RA profile ${raProfile.name} has no authority any more.`);
  return { ...raProfile, authorityUuid: raProfile.authorityUuid };
}

/** Answers the transaction, in hex (RFC 9483 §3.1). */
function checkHeader({ pvno, transactionId, senderNonce }: PkiHeader, { variant }: ServedCmpProfile): string {
  if (pvno !== 2 && pvno !== 3)
    throw new CmpRefusal('unsupportedVersion', `Version ${pvno} of CMP is not served; use 2.`);
  if (pvno === 3 && variant !== 'v3')
    throw new CmpRefusal('unsupportedVersion', 'The profile is for version 2 of CMP; its variant allows version 3.');
  if (!transactionId || transactionId.length < MIN_IDENTIFIER || transactionId.length > MAX_IDENTIFIER)
    throw new CmpRefusal('badDataFormat', 'The transactionID must have 16 to 64 octets.');
  if (!senderNonce || senderNonce.length < MIN_IDENTIFIER)
    throw new CmpRefusal('badSenderNonce', 'The senderNonce must have at least 16 octets.');
  return Buffer.from(transactionId).toString('hex');
}

async function handle(parts: ServeParts, call: CmpCall): Promise<CmpReply> {
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
    default:
      throw new CmpRefusal('badRequest', `Messages of type ${body.type} are not served.`);
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
    requester: sender ? nameOfSender(sender) : 'not proven',
    problem: refusal.message,
  });
}
