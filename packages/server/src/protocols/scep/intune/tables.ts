// Rows of the table that this protocol owns (migration 0095-scep-intune-notices).
export type IntuneTables = {
  scep_intune_notice: {
    uuid: string;
    profile_uuid: string;
    /** Of the enrolment. */
    enrolment_transaction: string;
    /** Of the message, as Intune validated it. */
    transaction_id: string;
    /** PKCS#10, DER in Base64. */
    request: string;
    attempts: number;
    created_at: Date;
    next_at: Date;
  };
};

export type NoticeRow = IntuneTables['scep_intune_notice'];
