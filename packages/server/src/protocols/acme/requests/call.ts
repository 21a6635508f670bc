// A request as the operations of the server see it, after its envelope was opened.
import type { Jwk, JwkKey } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { NamePolicy, ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { AcmeUrls } from '../model/urls.ts';

/** What every request has, signed or not. */
export interface OpenCall {
  readonly profile: ServedAcmeProfile;
  readonly urls: AcmeUrls;
  /** The last part of the path where it names an object. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly context: RequestContext;
}

/** The nonce of a request: handed once to the statement that does the work, which records its use. */
export interface NonceUse {
  /** The identifier for the statement; null when an earlier statement of this request has recorded the use. */
  take(): string | null;
  /** The statement found it fresh and has recorded it. */
  readonly isRecorded: boolean;
  record(): void;
}

export interface SignedCall extends OpenCall {
  readonly nonce: NonceUse;
  readonly key: JwkKey;
  /** Undefined for POST-as-GET (RFC 8555 §6.3). */
  readonly payload: unknown;
}

/** An account as requests need it; cached, so a statement has to make sure that it still holds. */
export interface AccountKey {
  readonly uuid: string;
  readonly accountId: string;
  readonly acmeProfileUuid: string;
  readonly raProfileUuid: string | null;
  readonly status: 'valid' | 'deactivated' | 'revoked';
  readonly enabled: boolean;
  readonly key: JwkKey & { readonly jwk: Jwk };
  /** Of the external account key that it was made with; undefined: none. */
  readonly namePolicy: NamePolicy | undefined;
}

/** Signed with the key of an account (`kid`). */
export interface AccountCall extends SignedCall {
  readonly account: AccountKey;
}

export interface AcmeReply {
  readonly status: number;
  readonly body?: unknown;
  /** Of the body where it is not JSON. */
  readonly media?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
