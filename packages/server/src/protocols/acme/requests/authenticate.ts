// Opens a request's envelope (RFC 8555 §6.2 to §6.5): a flattened JWS whose algorithm matches its key, signed for
// exactly this URL, with a nonce from this server, by a key that is either in the header or belongs to a known account.
import {
  checkKeyPolicy,
  parseJws,
  parsePublicKey,
  parseStrictJson,
  readJwk,
  verifyJws,
  type Jws,
  type JwkKey,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { assertJsonWithin } from '../../../platform/http/json-body.ts';
import type { AccountKeys } from './account-keys.ts';
import { rejection } from '../model/problems.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { AccountCall, AccountKey, NonceUse, OpenCall, SignedCall } from './call.ts';
import type { Nonces } from './nonces.ts';
import { sha256 } from '../model/sha256.ts';

/** Maximum body size in bytes: enough for a request with a few hundred names. */
export const MAX_BODY_BYTES = 128 * 1024;
/** Maximum number of JSON values in a body; an order has three per name. */
const MAX_BODY_VALUES = 10_000;

/** A body with the URLs for which the client may have signed it. */
export interface Envelope {
  readonly body: Uint8Array;
  readonly signedUrls: readonly string[];
}

export interface OpenedEnvelope {
  readonly jws: Jws;
  readonly nonce: NonceUse;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

export function createAuthenticator({ nonces, accountKeys }: { nonces: Nonces; accountKeys: AccountKeys }) {
  /** Performs all checks that do not require a key. */
  function open({ body, signedUrls }: Envelope): OpenedEnvelope {
    const jws = parseJws(parseBounded(body));
    const { url, nonce } = jws.header;
    if (url === undefined) throw rejection('malformed', 'The protected header must contain "url" (RFC 8555 §6.4).');
    if (!signedUrls.includes(url))
      throw rejection('unauthorized', '"url" in the protected header must be the URL of this request.', {
        status: 401,
      });
    if (nonce === undefined || nonce === '')
      throw rejection('badNonce', 'The protected header must contain a nonce. Use the nonce in this response.');
    const verdict = nonces.read(nonce);
    if ('problem' in verdict) throw rejection('badNonce', `${verdict.problem} Retry with the nonce in this response.`);
    return { jws, nonce: nonceUse(verdict.uuid) };
  }

  /**
   * Verifies a request signed with the key in its header (RFC 8555 §6.2): new accounts, and revocation with the
   * certificate's key.
   */
  function withKey(call: OpenCall, { jws, nonce }: OpenedEnvelope): SignedCall {
    const { jwk } = jws.header;
    if (jwk === undefined)
      throw rejection(
        'malformed',
        'The protected header must contain "jwk", the public key that verifies this request.',
      );
    const key = readJwk(jwk, sha256);
    // The key is checked first, since verifying a signature with an unusual key may cost more than checking the key.
    assertStrong(key);
    verifyJws(jws, { key, verify: nodeCrypto.verify });
    return { ...call, nonce, key, payload: payloadOf(jws) };
  }

  /** Verifies a request signed with an account key. */
  async function withAccount(call: OpenCall, { jws, nonce }: OpenedEnvelope): Promise<AccountCall> {
    const { kid } = jws.header;
    if (kid === undefined)
      throw rejection('malformed', 'The protected header must contain "kid", the URL of your account (RFC 8555 §6.2).');
    const accountId = accountIdOf(kid, call);
    const verifyAccount = (account: AccountKey | undefined): AccountKey => {
      if (!account || !belongsTo(account, call.profile)) throw unknownAccount();
      verifyJws(jws, { key: account.key, verify: nodeCrypto.verify });
      return account;
    };
    const account = await accountKeys.findCurrent(accountId, verifyAccount);
    return { ...call, nonce, key: account.key, account, payload: payloadOf(jws) };
  }

  /**
   * Rejects an inactive account. Separate from `withAccount` because the request is correctly signed, so its nonce is
   * consumed despite the rejection.
   */
  async function assertActive({ account }: AccountCall): Promise<void> {
    if (inactivityReason(account) === undefined) return;
    await accountKeys.findCurrent(account.accountId, (current) => {
      if (!current) throw unknownAccount();
      const reason = inactivityReason(current);
      if (reason !== undefined) throw inactiveAccount(reason);
      return current;
    });
  }

  return { open, withKey, withAccount, assertActive };
}

const unknownAccount = () =>
  rejection('accountDoesNotExist', 'There is no account with this URL in this directory. Create one with newAccount.');

/**
 * Returns the account identifier in the URL. The URL is compared by path, so accounts survive a change of the
 * platform's host name.
 */
function accountIdOf(kid: string, { urls }: OpenCall): string {
  const path = URL.parse(kid)?.pathname;
  const prefix = URL.parse(urls.account(''))?.pathname ?? '';
  if (path === undefined || !path.startsWith(prefix) || path.length === prefix.length)
    throw rejection(
      'accountDoesNotExist',
      '"kid" in the protected header is not the URL of an account in this directory.',
    );
  return path.slice(prefix.length);
}

const belongsTo = (
  account: { readonly acmeProfileUuid: string; readonly raProfileUuid: string | null },
  profile: ServedAcmeProfile,
): boolean =>
  account.acmeProfileUuid === profile.uuid &&
  account.raProfileUuid === (profile.family === 'raProfile' ? (profile.raProfile?.uuid ?? null) : null);

/** Returns why the account is inactive, or undefined if it is active. */
export function inactivityReason({ status, enabled }: Pick<AccountKey, 'status' | 'enabled'>): string | undefined {
  if (status === 'deactivated')
    return 'This account was deactivated by its owner. Create a new account with a different key.';
  if (status === 'revoked') return 'This account was revoked by an administrator.';
  return enabled ? undefined : 'This account is disabled. An administrator can enable it.';
}

/** Returns a rejection with status 401, which RFC 8555 §7.3.6 requires; other authorization errors have status 403. */
export const inactiveAccount = (reason: string) => rejection('unauthorized', reason, { status: 401 });

/**
 * Requires RSA keys of at least 2048 bits and sound parameters. The platform's policy for certificate keys also applies
 * to account keys.
 */
export function assertStrong(key: JwkKey): void {
  const [weak] = checkKeyPolicy(parsePublicKey(key.spki));
  if (weak) throw rejection('badPublicKey', `The account key is not accepted: ${weak.message}`);
}

/** Rejects a new account key that belongs to a certificate revoked as compromised, or is on a list of weak keys. */
export async function assertUncompromised(
  { problemOfKey }: Pick<ProtocolCertificates, 'problemOfKey'>,
  { spki }: JwkKey,
): Promise<void> {
  const problem = await problemOfKey(spki);
  if (problem !== undefined)
    throw rejection('badPublicKey', `The account key is not accepted: it ${problem}. Generate a new key.`);
}

function payloadOf(jws: Jws): unknown {
  return jws.payload.length === 0 ? undefined : parseBounded(jws.payload);
}

function parseBounded(json: Uint8Array): unknown {
  assertJsonWithin(MAX_BODY_VALUES, json);
  return parseStrictJson(json, MAX_BODY_BYTES);
}

export function nonceUse(uuid: string): NonceUse {
  let handedOut = false;
  let recorded = false;
  return {
    take() {
      if (recorded) return null;
      handedOut = true;
      return uuid;
    },
    get isRecorded() {
      return recorded;
    },
    record() {
      recorded = handedOut;
    },
  };
}

/** Returns the payload, which must be an object. */
export function payloadObject({ payload }: SignedCall): Readonly<Record<string, unknown>> {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw rejection('malformed', 'The payload of this request must be a JSON object.');
  return payload as Readonly<Record<string, unknown>>; // Checked above; members are checked where they are read.
}

/** POST-as-GET has no payload (RFC 8555 §6.3). */
export function assertNoPayload({ payload }: SignedCall): void {
  if (payload !== undefined)
    throw rejection(
      'malformed',
      'This is a POST-as-GET request; its payload must be the empty string (RFC 8555 §6.3).',
    );
}

/** Requires the request to be signed by the account in the path. */
export function assertOwn({ id, account }: AccountCall): void {
  if (id !== account.accountId)
    throw rejection('unauthorized', 'The account in the URL is not the account that signed this request.');
}
