// A piece of work at an authority: what a committed reservation asks for, with everything that the call needs.
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

/** The end entity that an authority of the first generation issues to; the password proves that it is the one. */
export interface Enrolment {
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
  /** For the audit record: the context of the request, or that of the reconciler. */
  readonly context: RequestContext;
}

/** Issue, renew or rekey: ends in a certificate. */
export interface IssuingWork extends Work {
  readonly kind: 'issue' | 'renew' | 'rekey';
  readonly request: Pick<RequestFacts, 'der' | 'format' | 'public_key_fingerprint' | 'common_name'>;
  readonly predecessor: CertificateWithContent | undefined;
  /** Present at authorities of the first generation, and only there. */
  readonly enrolment?: Enrolment | undefined;
  /** Resolves when what asks for it is committed, where that is still under way. Nothing is signed before. */
  readonly committed?: Promise<unknown> | undefined;
  /** Present where the reservation is written with the certificate. */
  readonly deferred?: DeferredReservation | undefined;
}

/** `removeFromCRL` releases a certificate from hold (RFC 5280 §5.3.1). */
export type RevocationChange = NonNullable<CertificateRow['revocation_reason']> | 'removeFromCRL';

export interface RevokingWork extends Work {
  readonly der: Uint8Array;
  readonly reason: RevocationChange;
  /** Its key is to be destroyed afterwards. */
  readonly destroysKey: boolean;
}

/** How work ended for now. `waiting`: the outcome is not known yet and somebody else settles it. */
export type Outcome =
  | { readonly status: 'issued'; readonly der: Uint8Array }
  /** Or released from hold. */
  | { readonly status: 'revoked' }
  | { readonly status: 'failed'; readonly error: AppError }
  | { readonly status: 'waiting'; readonly error: AppError };

/** Longest call to an authority. */
export const AUTHORITY_TIMEOUT_MS = 30_000;
/**
 * Renewed while work goes on, so that no second worker starts while the first may still sign. What a node held that
 * died, or lost its database, is free after so long.
 */
export const LEASE_MS = 8_000;
