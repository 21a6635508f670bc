// Returns and deactivates authorizations (RFC 8555 §7.5).
import type { AuditTrail } from '../../../areas/audit/index.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection, unknownObject } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { offersOf, type CaaSettings } from '../validation/caa-default.ts';
import { presentAuthorization } from './present.ts';
import type { OpenAuthorizations } from './open-authorizations.ts';
import type { AuthorizationStatements, AuthorizationView } from './store.ts';

/** Seconds after which a client should poll a challenge in progress again. */
export const CHALLENGE_RETRY_AFTER_S = 2;

export interface ReadAuthorizationParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly authorizations: AuthorizationStatements;
  readonly open: OpenAuthorizations;
  readonly settings: CaaSettings;
}

export function createReadAuthorization(parts: ReadAuthorizationParts) {
  const { platform, audit, authorizations, open, settings } = parts;
  const { clock } = platform;
  const presentForCall = (authorization: AuthorizationView, { urls, profile, account: { accountId } }: AccountCall) =>
    presentAuthorization(authorization, { urls, offers: offersOf(profile, settings), accountId, now: clock.now() });

  return async function readAuthorization(call: AccountCall): Promise<AcmeReply> {
    if (!isUuid(call.id)) throw unknownObject('authorization');
    if (call.payload !== undefined) return deactivate(call);
    const found = await authorizations.read(call, { uuid: call.id });
    if (!found) throw unknownObject('authorization');
    open.remember(call, found);
    const isUnderWay = found.status === 'pending' && found.challenge_status === 'processing';
    return {
      status: 200,
      body: presentForCall(found, call),
      ...(isUnderWay ? { headers: { 'retry-after': String(CHALLENGE_RETRY_AFTER_S) } } : {}),
    };
  };

  async function deactivate(call: AccountCall): Promise<AcmeReply> {
    if (payloadObject(call)['status'] !== 'deactivated')
      throw rejection(
        'malformed',
        'The only change that a client can make to an authorization is "status": "deactivated".',
      );
    const auditRecord = audit.record(call.context, {
      facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'deactivate' },
      objects: [{ uuid: call.account.uuid, name: call.account.accountId }],
      data: { authorization: call.id },
    });
    const orderError = {
      type: 'unauthorized',
      detail: 'An authorization of the order was deactivated by its owner.',
    } as const;
    const ended = await authorizations.deactivate(call, { uuid: call.id, orderError, audit: auditRecord });
    // An authorization that can no longer be deactivated is returned unchanged.
    const shown = ended ?? (await authorizations.read(call, { uuid: call.id }));
    if (!shown) throw unknownObject('authorization');
    return { status: 200, body: presentForCall(shown, call) };
  }
}
