// Rows of the bulk change tables (migrations 0049-changes-of-many-certificates and 0055-changes-that-stop).
import type {
  AssignedNames,
  CertificateChangeKind,
  CertificateChoice,
  CertificateUpdateRequest,
} from '@signetry/contract';

/** The request: values to assign, and the search if the certificates were not listed. */
export type ChangeRequest = Omit<CertificateUpdateRequest, 'certificateUuids' | 'selection'> &
  CertificateChoice & { readonly names?: AssignedNames };

export type ChangeTables = {
  certificate_change: {
    uuid: string;
    kind: CertificateChangeKind;
    asked: ChangeRequest;
    requester_uuid: string | null;
    requester_name: string;
    total: number;
    changed: number;
    refused: number;
    started_at: Date;
    finished_at: Date | null;
    stopped_by: string | null;
  };
  /** Pending and rejected certificates. */
  certificate_change_item: {
    change_uuid: string;
    certificate_uuid: string;
    /** Name of a rejected certificate, if known. */
    name: string | null;
    problem: string | null;
  };
};

export type ChangeRow = ChangeTables['certificate_change'];
export type ChangeItemRow = ChangeTables['certificate_change_item'];
