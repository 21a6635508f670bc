// Rows written before a certificate is requested from an authority.
import type { AuditRecord } from '../../audit/index.ts';
import type { CertificateRow, RequestFacts } from '../../certificates/index.ts';
import type { OperationKind, OperationPayload } from '../tables.ts';

export interface Owner {
  readonly uuid: string;
  readonly username: string;
}

/** Protocol over which a certificate is requested, its profile, and the account. */
export interface ProtocolLink {
  readonly protocol: NonNullable<CertificateRow['protocol']>;
  readonly profileUuid: string;
  readonly accountUuid: string | null;
}

/** Requested certificate: the rows that exist before any authority is called. */
export interface Reservation {
  readonly certificateUuid: string;
  /** Null for a request that is issued later. */
  readonly operationUuid: string | null;
  readonly kind: Exclude<OperationKind, 'revoke'>;
  readonly raProfileUuid: string;
  readonly predecessorUuid: string | null;
  readonly requesterUuid: string | null;
  readonly requesterName: string;
  readonly payload: OperationPayload;
  readonly leasedBy: string;
  readonly leasedUntil: Date;
  readonly createdAt: Date;
  readonly historyUuid: string;
  readonly owner: Owner | null;
  readonly protocol: ProtocolLink | null;
  readonly request: RequestFacts;
}

/** Reservation that is written with its certificate, because its caller has committed to repeating the request. */
export interface DeferredReservation {
  readonly reservation: Reservation;
  /** Audit record of the request. */
  readonly audit: AuditRecord;
  /** Writes it now, for work that does not immediately produce a certificate. */
  readonly write: () => Promise<void>;
}
