// Serves one protocol request: finds the profile, opens the envelope, runs the operation, and converts errors to
// problem documents. Every response contains a fresh nonce (RFC 8555 §6.5), including errors: clients continue with it.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { findOutage } from '../../../platform/database/database-errors.ts';
import { asAppError } from '../../../platform/http/render-error.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { AccountKeys } from './account-keys.ts';
import type { ProfileFamily } from '../../../areas/protocol-profiles/index.ts';
import { toRejection, isKnownRejection, presentRejection, rejection, type AcmeRejection } from '../model/problems.ts';
import type { ServedAcmeProfile, ServedAcmeProfiles } from '../../../areas/acme-profiles/index.ts';
import { consumeNonce, StaleFacts } from './store-guard.ts';
import type { ProblemType } from '../model/vocabulary.ts';
import { MAX_BODY_BYTES, type Authenticator, type Envelope, type OpenedEnvelope } from './authenticate.ts';
import type { AccountCall, AcmeReply, OpenCall, SignedCall } from './call.ts';
import type { Nonces } from './nonces.ts';
import { assertServed, assertTermsUnchanged } from './profile-rules.ts';
import { acmeUrls } from '../model/urls.ts';

/** An operation and the signers that it permits. */
export type AcmeOperation =
  | { readonly signedBy: 'nobody'; readonly run: (call: OpenCall) => Promise<AcmeReply> }
  | { readonly signedBy: 'key'; readonly run: (call: SignedCall) => Promise<AcmeReply> }
  | { readonly signedBy: 'account'; readonly run: (call: AccountCall) => Promise<AcmeReply> }
  | { readonly signedBy: 'accountOrKey'; readonly run: (call: SignedCall | AccountCall) => Promise<AcmeReply> };

export interface AcmeRequest {
  readonly family: ProfileFamily;
  /** Name of the ACME profile or RA profile. */
  readonly name: string;
  readonly id: string;
  readonly query: OpenCall['query'];
  /** Scheme and authority that the client uses. */
  readonly origin: string;
  readonly envelope: Envelope | undefined;
  /** Context without the actor, who is the server's own. */
  readonly context: RequestContext;
  /** Default `instance` of problems. */
  readonly url: string;
}

export interface ServeParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly profiles: ServedAcmeProfiles;
  readonly accountKeys: AccountKeys;
  readonly authenticator: Authenticator;
  readonly nonces: Nonces;
}

export type Serve = (operation: AcmeOperation, request: AcmeRequest) => Promise<AcmeReply>;

export function createServe(parts: ServeParts): Serve {
  return async function serve(operation, request) {
    const progress: Progress = { call: undefined };
    try {
      return completeReply(parts, await respond(parts, operation, request, progress), request);
    } catch (error) {
      const refused = await settleRejection(parts, error, request, progress);
      return completeReply(
        parts,
        {
          status: refused.status,
          media: 'application/problem+json',
          body: JSON.stringify(presentRejection(refused, request.url)),
          headers: refused.facts.headers ?? {},
        },
        request,
      );
    }
  };
}

async function respond(
  parts: ServeParts,
  operation: AcmeOperation,
  request: AcmeRequest,
  progress: Progress,
): Promise<AcmeReply> {
  const { profiles, accountKeys, authenticator } = parts;
  const opened = request.envelope && authenticator.open(request.envelope);
  for (const isLast of [false, true]) {
    const profile = await servedProfile(parts, request);
    const open = openCall(request, profile);
    try {
      return await run(parts, operation, { open, opened, progress });
    } catch (error) {
      if (!(error instanceof StaleFacts) || isLast) throw error;
      // The use of the nonce is recorded; profile and account are read and checked again.
      profiles.forget();
      if (progress.call && 'account' in progress.call) accountKeys.forget(progress.call.account.accountId);
    }
  }
  throw new Error('The second attempt must return or throw.');
}

/** Reads the profile again if it cannot be served, because it may just have been corrected on another node. */
async function servedProfile(parts: ServeParts, { family, name }: AcmeRequest): Promise<ServedAcmeProfile> {
  const { profiles } = parts;
  const remembered = await profiles.find(family, name);
  try {
    return assertServed(remembered, name);
  } catch {
    profiles.forget();
    return assertServed(await profiles.find(family, name), name);
  }
}

async function run(
  parts: ServeParts,
  operation: AcmeOperation,
  { open, opened, progress }: { open: OpenCall; opened: OpenedEnvelope | undefined; progress: Progress },
): Promise<AcmeReply> {
  const { authenticator } = parts;
  if (operation.signedBy === 'nobody') return operation.run(open);
  if (!opened) throw rejection('malformed', 'This request must be a signed POST (RFC 8555 §6.2).');
  assertTermsUnchanged(open.profile);
  if (
    operation.signedBy === 'account' ||
    (operation.signedBy === 'accountOrKey' && opened.jws.header.jwk === undefined)
  ) {
    const call = await authenticator.withAccount(open, opened);
    progress.call = call;
    await authenticator.assertActive(call);
    return operation.run(call);
  }
  const call = authenticator.withKey(open, opened);
  progress.call = call;
  return operation.run(call);
}

/**
 * Also consumes the nonce of a rejected request, so that the request cannot be replayed once circumstances have
 * changed.
 */
async function settleRejection(
  parts: ServeParts,
  error: unknown,
  request: AcmeRequest,
  { call }: Progress,
): Promise<AcmeRejection> {
  const { database } = parts.platform;
  let refused = readRejection(parts, error, request);
  // During a database outage, another attempt would be pointless; the nonce remains valid for a retry.
  if (!call || findOutage(error)) return refused;
  try {
    await consumeNonce(database.relaxed, call);
  } catch (nonceError) {
    if (isKnownRejection(nonceError)) refused = toRejection(nonceError);
  }
  const audited = 'account' in call ? AUDITED : AUDITED_OF_STRANGERS;
  if (audited.has(refused.type)) await record(parts, call, refused);
  return refused;
}

function readRejection(parts: ServeParts, error: unknown, { context }: AcmeRequest): AcmeRejection {
  const { log, metrics } = parts.platform;
  if (isKnownRejection(error)) {
    const refused = toRejection(error);
    metrics.acmeRefusals.inc({ type: refused.type });
    return refused;
  }
  if (error instanceof StaleFacts)
    return toRejection(new AppError('unavailable', { reason: 'the account or its profile is being changed' }));
  log.error({ error, requestId: context.requestId }, 'ACME request failed');
  return toRejection(asAppError(error, { id: context.requestId, routeOptions: { bodyLimit: MAX_BODY_BYTES } }));
}

/**
 * Records a rejection. Anyone can create an account, so rejections per account are aggregated like those per client
 * address.
 */
async function record(parts: ServeParts, call: SignedCall | AccountCall, refused: AcmeRejection): Promise<void> {
  const { audit } = parts;
  const who = 'account' in call ? { uuid: call.account.uuid, name: call.account.accountId } : undefined;
  const source = who?.uuid ?? networkOf(call.context.source?.ipAddress ?? '');
  await audit.recordRefusalOf(source, call.context, {
    facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'request' },
    ...(who ? { objects: [who] } : { data: { thumbprint: call.key.thumbprint } }),
    message: refused.message,
  });
}

function completeReply(parts: ServeParts, reply: AcmeReply, request: AcmeRequest): AcmeReply {
  const { nonces } = parts;
  const { directory, newNonce } = acmeUrlsOf(request);
  // The link is required on everything except the directory (RFC 8555 §7.1); an error response at the directory URL is
  // not the directory.
  const isDirectory = request.url === directory && reply.status === 200;
  const index = isDirectory ? [] : [linkTo(directory, 'index')];
  // After an unsigned request, the client does not need a nonce (RFC 8555 §6.5), and some clients retain the wrong one.
  const isRead = request.envelope === undefined && request.url !== newNonce && reply.status < 400;
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...(isRead ? {} : { 'replay-nonce': nonces.create() }),
      'cache-control': 'no-store',
      link: [reply.headers?.['link'] ?? [], index].flat(2),
    },
  };
}

/**
 * Progress of a request: set once its signer is verified, so that a rejection can be recorded and the nonce consumed.
 */
interface Progress {
  call: SignedCall | AccountCall | undefined;
}

/** Problem types that are recorded for operators. */
const AUDITED: ReadonlySet<ProblemType> = new Set([
  'unauthorized',
  'badCSR',
  'badPublicKey',
  'malformed',
  'rejectedIdentifier',
]);
/**
 * Problem types recorded for keys without an account: an incorrect external account binding, or a certificate that
 * belongs to someone else.
 */
const AUDITED_OF_STRANGERS: ReadonlySet<ProblemType> = new Set(['unauthorized']);

const acmeUrlsOf = ({ origin, family, name }: AcmeRequest) => acmeUrls(origin, { family, name });

const openCall = (request: AcmeRequest, profile: ServedAcmeProfile): OpenCall => ({
  profile,
  urls: acmeUrlsOf(request),
  id: request.id,
  query: request.query,
  context: request.context,
});
