// The client says that it is ready (RFC 8555 §7.5.1). The challenge is validated within the request when that is quick;
// otherwise it is `processing`, and the client polls.
import { isUuid } from '../../../kernel/ids.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import { refusal, unknownObject } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { readChallengeId } from '../model/urls.ts';
import type { AddressesOf } from '../model/account-addresses.ts';
import { challengeTypes, type ChallengeType } from '../model/vocabulary.ts';
import { offersOf, type CaaSettings } from '../validation/caa-default.ts';
import { authorizationStatus, offeredChallenges, presentChallenge, type Offers } from './present.ts';
import { CHALLENGE_RETRY_AFTER_S } from './read-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationView } from './store.ts';
import { VALIDATION_LEASE_MS, validationSubject, type ValidationWork } from './validation-work.ts';

/**
 * How long a request waits for the verdict: honest targets answer in milliseconds, and impatient clients time out after
 * 5 s.
 */
const WAIT_MS = 1_500;

/** How an authorization ended that can no longer be responded to (RFC 8555 §7.1.6). */
const ENDS = {
  invalid: 'is invalid',
  expired: 'has expired',
  deactivated: 'was deactivated',
  revoked: 'was revoked',
} as const;

export interface RespondParts {
  readonly platform: Platform;
  readonly validation: ValidationWork;
  readonly authorizations: store.AuthorizationStatements;
  readonly addressesOf: AddressesOf;
  readonly settings: CaaSettings;
}

export function createRespondToChallenge(parts: RespondParts): (call: AccountCall) => Promise<AcmeReply> {
  const { validation, authorizations, addressesOf, settings } = parts;
  const { database, clock, log, nodeId, limits } = parts.platform;

  return async function respondToChallenge(call) {
    const { authorizationUuid, type: requested } = readChallengeId(call.id);
    const type = challengeTypes.find((known) => known === requested);
    if (!isUuid(authorizationUuid) || type === undefined) throw unknownObject('challenge');
    const authorization = await authorizations.read(call, { uuid: authorizationUuid });
    const offers = offersOf(call.profile, settings);
    // One that was tried is there to be read, even if the profile no longer offers its type.
    if (!authorization || ![...offeredChallenges(authorization, offers), authorization.challenge_type].includes(type))
      throw unknownObject('challenge');
    const reply = (shown: AuthorizationView) => replyWith(call, shown, { type, offers });
    // A POST-as-GET only looks; `{}` says that the client is ready.
    if (call.payload === undefined) return reply(authorization);
    payloadObject(call);
    const status = authorizationStatus(authorization, clock.now());
    // Clients that say it twice find what they wanted.
    if (status === 'valid') return reply(authorization);
    if (status !== 'pending')
      throw refusal(
        'malformed',
        `The authorization ${ENDS[status]}, so nothing is validated for it. Place a new order.`,
      );
    if (authorization.challenge_status === 'processing' && authorization.challenge_type !== type)
      throw refusal(
        'malformed',
        `Another challenge of this authorization is being validated: ${authorization.challenge_type}.`,
      );
    await limits.acmeFailedValidations.assertOpen(validationSubject({ account: call.account, authorization }));
    return reply(await validated(call, authorization, type));
  };

  async function validated(
    call: AccountCall,
    authorization: AuthorizationView,
    type: ChallengeType,
  ): Promise<AuthorizationView> {
    const { account, profile, context } = call;
    const work = validation.run({
      authorization,
      type,
      thumbprint: account.key.thumbprint,
      account,
      addresses: addressesOf({
        accountId: account.accountId,
        profile,
        origin: context.origin ?? undefined,
      }),
      profile,
      context,
    });
    const decided = await inTime(work);
    if (decided !== 'late') return decided ?? (await current(authorization));
    const leasedUntil = new Date(clock.now().getTime() + VALIDATION_LEASE_MS);
    const lease = { leasedBy: nodeId, leasedUntil, origin: context.origin };
    const postponed = await store.postponeChallenge(database.hot, { uuid: authorization.uuid, type, ...lease });
    work.catch((error: unknown) => log.error({ error }, 'a challenge could not be decided; its lease will expire'));
    return postponed ?? (await current(authorization));
  }

  async function current(authorization: AuthorizationView): Promise<AuthorizationView> {
    return (await store.findAuthorization(database.executor, authorization.uuid)) ?? authorization;
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, 'late');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The challenge, with a link to its authorization (RFC 8555 §7.5.1). */
function replyWith(
  { urls }: AccountCall,
  authorization: AuthorizationView,
  shown: { readonly type: ChallengeType; readonly offers: Offers },
): AcmeReply {
  const isUnderWay = authorization.status === 'pending' && authorization.challenge_status === 'processing';
  return {
    status: 200,
    body: presentChallenge(authorization, { ...shown, urls }),
    headers: {
      link: [linkTo(urls.authorization(authorization.uuid), 'up')],
      ...(isUnderWay ? { 'retry-after': String(CHALLENGE_RETRY_AFTER_S) } : {}),
    },
  };
}
