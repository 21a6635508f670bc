// What is written down before an authority is asked for a certificate.
import type { AuditRecord } from '../../audit/index.ts';
import type { CertificateRow, RequestFacts } from '../../certificates/index.ts';
import type { OperationKind, OperationPayload } from '../tables.ts';

export interface Owner {
  readonly uuid: string;
  readonly username: string;
}

/** The protocol that a certificate is asked for over, its profile, and the account there. */
export interface ProtocolLink {
  readonly protocol: NonNullable<CertificateRow['protocol']>;
  readonly profileUuid: string;
  readonly accountUuid: string | null;
}

/** A certificate that is asked for: the rows that exist before any authority is called. */
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

/** A reservation that is written with its certificate, since its caller has committed that it asks again. */
export interface DeferredReservation {
  readonly reservation: Reservation;
  /** The record that it was asked for. */
  readonly audit: AuditRecord;
  /** Writes it now, for work that does not end in a certificate at once. */
  readonly write: () => Promise<void>;
}
