// Rows of the table owned by this protocol (migration 0095-scep-intune-notices).
export type IntuneTables = {
  scep_intune_notice: {
    uuid: string;
    profile_uuid: string;
    /** Transaction identifier of the enrollment. */
    enrollment_transaction: string;
    /** Transaction identifier of the message, as validated by Intune. */
    transaction_id: string;
    /** PKCS #10 as Base64-encoded DER. */
    request: string;
    attempts: number;
    created_at: Date;
    next_at: Date;
  };
};

export type NoticeRow = IntuneTables['scep_intune_notice'];
