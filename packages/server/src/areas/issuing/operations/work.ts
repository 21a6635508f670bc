// Work to be done at an authority: what a committed reservation requests, with everything that the call requires.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { AppError } from '../../../kernel/errors.ts';
import type { Secret } from '../../../kernel/secret.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import {
  callerName,
  type CertificateRow,
  type CertificateWithContent,
  type RequestFacts,
} from '../../certificates/index.ts';
import type { DeferredReservation } from './reservation.ts';

export interface Requester {
  readonly uuid: string | null;
  readonly name: string;
}

export const requesterOf = (context: RequestContext): Requester => ({
  uuid: context.actor.userUuid,
  name: callerName(context),
});

/** The end entity to which a v1 authority issues; the password authenticates it. */
export interface Enrollment {
  readonly username: string;
  readonly password: Secret;
}

interface Work {
  readonly operationUuid: string;
  readonly certificateUuid: string;
  readonly profile: IssuingProfile;
  readonly attributes: readonly RequestAttributeDto[];
  readonly requester: Requester;
  readonly attempts: number;
  /** Context for the audit record: that of the request, or of the reconciler. */
  readonly context: RequestContext;
}

/** Issuance, renewal or rekey; produces a certificate. */
export interface IssuingWork extends Work {
  readonly kind: 'issue' | 'renew' | 'rekey';
  readonly request: Pick<RequestFacts, 'der' | 'format' | 'public_key_fingerprint' | 'common_name'>;
  readonly predecessor: CertificateWithContent | undefined;
  /**
   * Whether the certificate must contain every requested host name, as an ACME order does; other callers accept the
   * names that the authority grants.
   */
  readonly requiresAllNames?: boolean | undefined;
  /** Present for v1 authorities only. */
  readonly enrollment?: Enrollment | undefined;
  /** Resolves when the request is committed, if that is still pending. Nothing is signed before that. */
  readonly committed?: Promise<unknown> | undefined;
  /** Present if the reservation is written with the certificate. */
  readonly deferred?: DeferredReservation | undefined;
}

/** `removeFromCRL` releases a certificate from hold (RFC 5280 §5.3.1). */
export type RevocationChange = NonNullable<CertificateRow['revocation_reason']> | 'removeFromCRL';

export interface RevokingWork extends Work {
  readonly der: Uint8Array;
  readonly reason: RevocationChange;
  /** Whether its key is destroyed afterwards. */
  readonly destroysKey: boolean;
}

/** Result of the work so far. `waiting` means that the outcome is not known yet and is settled elsewhere. */
export type Outcome =
  | { readonly status: 'issued'; readonly der: Uint8Array }
  /** The certificate was revoked or released from hold. */
  | { readonly status: 'revoked' }
  | { readonly status: 'failed'; readonly error: AppError }
  | { readonly status: 'waiting'; readonly error: AppError };

/** Maximum duration of a call to an authority. */
export const AUTHORITY_TIMEOUT_MS = 30_000;
/**
 * Duration of a lease. It is renewed while work continues, so that no second worker starts while the first one may
 * still sign. Operations of a node that crashed or lost its database become available after this time.
 */
export const LEASE_MS = 8_000;
