// Handles the client's response to a challenge (RFC 8555 §7.5.1). A quick validation completes within the request;
// otherwise the challenge is `processing`, and the client polls.
import { isUuid } from '../../../kernel/ids.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import { rejection, unknownObject } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { readChallengeId } from '../model/urls.ts';
import { challengeTypes, type ChallengeType } from '../model/vocabulary.ts';
import { offersOf } from '../validation/caa-default.ts';
import { authorizationStatus, offeredChallenges, presentChallenge, type Offers } from './present.ts';
import { CHALLENGE_RETRY_AFTER_S } from './read-authorization.ts';
import * as store from './store.ts';
import {
  createDecideAtOnce,
  waitAtMost,
  deferToLease,
  WAIT_MS,
  workOf,
  type DecideAtOnceParts,
} from './decide-at-once.ts';
import type { AuthorizationView } from './store.ts';
import { VALIDATION_LEASE_MS, validationSubject, type ChallengeWork } from './validation-work.ts';

/** Final states in which an authorization accepts no more challenge responses (RFC 8555 §7.1.6). */
const ENDS = {
  invalid: 'is invalid',
  expired: 'has expired',
  deactivated: 'was deactivated',
  revoked: 'was revoked',
} as const;

export function createRespondToChallenge(parts: DecideAtOnceParts): (call: AccountCall) => Promise<AcmeReply> {
  const { validation, authorizations, addressesOf, settings } = parts;
  const { database, clock, nodeId, limits } = parts.platform;
  const decideAtOnce = createDecideAtOnce(parts);

  return async function respondToChallenge(call) {
    const { authorizationUuid, type: requested } = readChallengeId(call.id);
    const type = challengeTypes.find((known) => known === requested);
    if (!isUuid(authorizationUuid) || type === undefined) throw unknownObject('challenge');
    const offers = offersOf(call.profile, settings);
    const began = performance.now();
    const decided = await decideAtOnce(call, authorizationUuid, { type, offers });
    if (decided) return replyWith(call, decided, { type, offers });
    const authorization = await authorizations.read(call, { uuid: authorizationUuid });
    // A challenge that was tried remains readable, even if the profile no longer offers its type.
    if (!authorization || ![...offeredChallenges(authorization, offers), authorization.challenge_type].includes(type))
      throw unknownObject('challenge');
    const reply = (shown: AuthorizationView) => replyWith(call, shown, { type, offers });
    // POST-as-GET only reads the challenge; `{}` indicates that the client is ready.
    if (call.payload === undefined) return reply(authorization);
    payloadObject(call);
    const status = authorizationStatus(authorization, clock.now());
    // A client that responds twice receives the valid challenge.
    if (status === 'valid') return reply(authorization);
    if (status !== 'pending')
      throw rejection(
        'malformed',
        `The authorization ${ENDS[status]}, so its challenges cannot be validated. Place a new order.`,
      );
    if (authorization.challenge_status === 'processing' && authorization.challenge_type !== type)
      throw rejection(
        'malformed',
        `A different challenge of this authorization is already being validated: ${authorization.challenge_type}.`,
      );
    await limits.acmeFailedValidations.assertOpen(validationSubject({ account: call.account, authorization }));
    const work = workOf(call, { authorization, type, addressesOf });
    return reply(await validateWithin(work, WAIT_MS - (performance.now() - began)));
  };

  async function validateWithin(challenge: ChallengeWork, waitMs: number): Promise<AuthorizationView> {
    const { authorization, type, context } = challenge;
    const work = validation.run(challenge);
    const decided = await waitAtMost(work, waitMs);
    if (decided !== 'late') return decided ?? (await readCurrent(authorization));
    const leasedUntil = new Date(clock.now().getTime() + VALIDATION_LEASE_MS);
    const lease = { leasedBy: nodeId, leasedUntil, origin: context.origin };
    const postponed = await store.postponeChallenge(database.hot, { uuid: authorization.uuid, type, ...lease });
    deferToLease(parts, work);
    return postponed ?? (await readCurrent(authorization));
  }

  async function readCurrent(authorization: AuthorizationView): Promise<AuthorizationView> {
    return (await store.findAuthorization(database.executor, authorization.uuid)) ?? authorization;
  }
}

/** Returns the challenge, with a link to its authorization (RFC 8555 §7.5.1). */
function replyWith(
  { urls, account: { accountId } }: AccountCall,
  authorization: AuthorizationView,
  shown: { readonly type: ChallengeType; readonly offers: Offers },
): AcmeReply {
  const isUnderWay = authorization.status === 'pending' && authorization.challenge_status === 'processing';
  return {
    status: 200,
    body: presentChallenge(authorization, { ...shown, urls, accountId }),
    headers: {
      link: [linkTo(urls.authorization(authorization.uuid), 'up')],
      ...(isUnderWay ? { 'retry-after': String(CHALLENGE_RETRY_AFTER_S) } : {}),
    },
  };
}
