// Rows of the tables of changes of many certificates (migration 0049-changes-of-many-certificates).
import type { CertificateChangeKind, MultipleCertificateObjectUpdateDto } from '@signetry/contract';

/** What was asked for, the certificates left out. */
export type Asked = Omit<MultipleCertificateObjectUpdateDto, 'certificateUuids'>;

export type ChangeTables = {
  certificate_change: {
    uuid: string;
    kind: CertificateChangeKind;
    asked: Asked;
    requester_uuid: string | null;
    requester_name: string;
    total: number;
    changed: number;
    refused: number;
    started_at: Date;
    finished_at: Date | null;
  };
  /** What is left to do, and what was refused. */
  certificate_change_item: {
    change_uuid: string;
    certificate_uuid: string;
    /** Of the certificate, where it was refused and its name is known. */
    name: string | null;
    problem: string | null;
  };
};

export type ChangeRow = ChangeTables['certificate_change'];
export type ChangeItemRow = ChangeTables['certificate_change_item'];
