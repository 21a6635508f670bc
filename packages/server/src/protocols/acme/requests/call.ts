// A request as passed to the server's operations, after its envelope was opened.
import type { Jwk, JwkKey } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { NamePolicy, ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { AcmeUrls } from '../model/urls.ts';

/** Data of every request, signed or not. */
export interface OpenCall {
  readonly profile: ServedAcmeProfile;
  readonly urls: AcmeUrls;
  /** Last path segment, if it identifies an object. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly context: RequestContext;
}

/** A request's nonce. It is passed once to the statement that performs the operation, which records its use. */
export interface NonceUse {
  /** Returns the identifier for the statement, or null if an earlier statement of this request has recorded the use. */
  take(): string | null;
  /** Whether the statement found the nonce unused and recorded it. */
  readonly isRecorded: boolean;
  record(): void;
}

export interface SignedCall extends OpenCall {
  readonly nonce: NonceUse;
  readonly key: JwkKey;
  /** Undefined for POST-as-GET (RFC 8555 §6.3). */
  readonly payload: unknown;
}

/** Account data needed by requests; cached, so each statement must verify that it is still current. */
export interface AccountKey {
  readonly uuid: string;
  readonly accountId: string;
  readonly acmeProfileUuid: string;
  readonly raProfileUuid: string | null;
  readonly status: 'valid' | 'deactivated' | 'revoked';
  readonly enabled: boolean;
  readonly key: JwkKey & { readonly jwk: Jwk };
  /** Policy of the external account key with which the account was created; undefined: none. */
  readonly namePolicy: NamePolicy | undefined;
  /** External account key with which the account was created. */
  readonly eabKeyUuid: string | undefined;
}

/** Request signed with an account key (`kid`). */
export interface AccountCall extends SignedCall {
  readonly account: AccountKey;
}

export interface AcmeReply {
  readonly status: number;
  readonly body?: unknown;
  /** Media type of the body, if it is not JSON. */
  readonly media?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
