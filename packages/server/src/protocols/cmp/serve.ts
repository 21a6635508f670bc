// One message and its answer: read, judge the profile and the header, find out who sent it, do what its body asks for,
// protect the answer. Every answer is a message of CMP, whatever was wrong.
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

/** What is known of a message so far. */
interface Progress {
  message?: PkiMessage;
  profile?: ServedCmpProfile;
  sender?: Sender;
}

/** Never throws but for faults of the platform. */
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

/** Nothing is done whose answer could not be signed. */
async function assertAnswerable({ signingCertificates }: ServeParts, profile: ServedCmpProfile): Promise<void> {
  if (signsAnswers(profile)) await signingCertificates.reach(profile.signingCertificateUuid, CMP_SIGNING);
}

/** Answers the transaction, in hex (RFC 9483 §3.1). */
function checkHeader({ pvno, transactionId, senderNonce }: PkiHeader, { variant }: ServedCmpProfile): string {
  if (pvno !== 2 && pvno !== 3)
    throw new CmpRefusal('unsupportedVersion', `Version ${pvno} of CMP is not served; use 2.`);
  if (pvno === 3 && variant !== 'v3')
    throw new CmpRefusal(
      'unsupportedVersion',
      'The profile is for version 2 of CMP; the variant v3 takes version 3 too.',
    );
  if (!transactionId || transactionId.length < MIN_IDENTIFIER || transactionId.length > MAX_IDENTIFIER)
    throw new CmpRefusal('badDataFormat', 'The transactionID must have 16 to 64 octets.');
  if (!senderNonce || senderNonce.length < MIN_IDENTIFIER)
    throw new CmpRefusal('badSenderNonce', 'The senderNonce must have at least 16 octets.');
  return Buffer.from(transactionId).toString('hex');
}

/** Answers what is to be written, or a message that was written already. */
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
