// URLs of a directory and its objects. All are absolute and start with the same base URL, so any of them can be passed
// to clients.
import { acmeBaseUrl } from '../../../areas/acme-profiles/index.ts';
import type { ServedEndpoint } from '../../../areas/protocol-profiles/index.ts';

export type AcmeUrls = ReturnType<typeof acmeUrls>;

/** Returns the URLs of a directory. `origin` contains the scheme and authority that the client uses. */
export function acmeUrls(origin: string, directory: ServedEndpoint) {
  const base = acmeBaseUrl(origin, directory);
  return {
    directory: `${base}/directory`,
    newNonce: `${base}/new-nonce`,
    newAccount: `${base}/new-account`,
    newOrder: `${base}/new-order`,
    revokeCert: `${base}/revoke-cert`,
    keyChange: `${base}/key-change`,
    renewalInfo: `${base}/renewal-info`,
    /** Prefix of hashed account URIs; nothing is served there (draft-ietf-acme-dns-persist-02 §4.1). */
    accountHashPrefix: `${base}/account-hash/`,
    account: (accountId: string) => `${base}/acct/${accountId}`,
    orders: (accountId: string, cursor?: string) =>
      `${base}/orders/${accountId}${cursor === undefined ? '' : `?cursor=${cursor}`}`,
    order: (uuid: string) => `${base}/order/${uuid}`,
    finalize: (uuid: string) => `${base}/order/${uuid}/finalize`,
    authorization: (uuid: string) => `${base}/authz/${uuid}`,
    challenge: (authorizationUuid: string, type: string) => `${base}/chall/${authorizationUuid}.${type}`,
    certificate: (uuid: string) => `${base}/cert/${uuid}`,
  };
}

/** Splits a challenge identifier into authorization and challenge type. */
export function readChallengeId(id: string): { readonly authorizationUuid: string; readonly type: string } {
  const point = id.indexOf('.');
  return { authorizationUuid: id.slice(0, Math.max(0, point)), type: id.slice(point + 1) };
}
