// Changes an account's key (RFC 8555 §7.3.5). The request is signed with the old key and contains a JWS by the new key
// over the account and the old key, so neither half can be used alone.
import { nodeCrypto } from '@signetry/pki/node';
import { parseJws, parseStrictJson, readJwk, verifyJws } from '@signetry/pki';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection } from '../model/problems.ts';
import { assertStrong, assertUncompromised, payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { sha256 } from '../model/sha256.ts';
import { StaleFacts, consumeNonce } from '../requests/store-guard.ts';
import type { AccountKeys } from '../requests/account-keys.ts';
import { accountScopeOf } from './new-account.ts';
import * as store from './store.ts';

export interface ChangeKeyParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly accountKeys: AccountKeys;
  readonly certificates: Pick<ProtocolCertificates, 'problemOfKey'>;
}

export function createChangeKey(parts: ChangeKeyParts): (call: AccountCall) => Promise<AcmeReply> {
  const { audit, accountKeys, certificates } = parts;
  const { database, clock } = parts.platform;

  return async function changeKey(call) {
    const { account } = call;
    const newKey = readInner(call);
    await consumeNonce(database.relaxed, call);
    if (newKey.thumbprint === call.key.thumbprint) throw await keyInUse(call, newKey.thumbprint);
    await assertUncompromised(certificates, newKey);
    const facts = { from: call.key.thumbprint, thumbprint: newKey.thumbprint, jwk: newKey.jwk, at: clock.now() };
    try {
      await database.transaction(async (tx) => {
        if (!(await store.setKey(tx, account.uuid, facts))) throw new StaleFacts('account changed');
        await audit.append(tx, call.context, {
          facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'acmeKeyRollover' },
          objects: [{ uuid: account.uuid, name: account.accountId }],
          data: { thumbprint: newKey.thumbprint },
        });
      });
    } catch (error) {
      if (isUniqueViolation(error, 'acme_account_key')) throw await keyInUse(call, newKey.thumbprint);
      throw error;
    }
    accountKeys.forget(account.accountId);
    return { status: 200, body: {} };
  };

  /**
   * Rejects a key that another account already uses. None of the error types available to servers fits this case (RFC
   * 8555 §6.7, §9.7.4).
   */
  async function keyInUse(call: AccountCall, thumbprint: string) {
    const owner = await store.findByKey(database.executor, accountScopeOf(call), thumbprint);
    const headers = owner ? { headers: { location: call.urls.account(owner.account_id) } } : {};
    const detail = 'The new key already belongs to an account. Its URL is in the Location header.';
    return rejection('malformed', detail, { status: 409, ...headers });
  }
}

/** Performs the checks that RFC 8555 §7.3.5 requires on the inner JWS, in the same order; returns the new key. */
function readInner(call: AccountCall) {
  const inner = parseJws(payloadObject(call));
  const { jwk, url, nonce } = inner.header;
  if (jwk === undefined) throw rejection('malformed', 'The inner JWS must contain "jwk", the new key.');
  const newKey = readJwk(jwk, sha256);
  assertStrong(newKey);
  verifyJws(inner, { key: newKey, verify: nodeCrypto.verify });
  if (nonce !== undefined) throw rejection('malformed', 'The inner JWS must not contain a nonce.');
  if (url !== call.urls.keyChange)
    throw rejection('malformed', 'The "url" of the inner JWS does not match the request URL.');
  const payload = parseStrictJson(inner.payload);
  const { account, oldKey } = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<
    string,
    unknown
  >; // Members are checked below.
  if (account !== call.urls.account(call.account.accountId))
    throw rejection('malformed', 'The "account" of the inner JWS is not the account that signed the request.');
  // Clients that implement the published API send the key as a JSON string.
  const stated = typeof oldKey === 'string' ? parseStrictJson(new TextEncoder().encode(oldKey)) : oldKey;
  if (readJwk(stated, sha256).thumbprint !== call.key.thumbprint)
    throw rejection('malformed', 'The "oldKey" of the inner JWS is not the current key of the account.');
  return newKey;
}
