// Rows of the tables that queries of the inventory read together (migration 0011-certificate-text).
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateTables, JoinedTables } from '../certificates/index.ts';

type TextTables = {
  /** Kept by triggers. */
  certificate_text: {
    certificate_uuid: string;
    archived: boolean;
    /** What free text is looked for in. */
    text: string;
    common_name: string;
    /** As JSON. */
    alternative_names: string;
  };
};

/** Certificates, the objects that lists show with them, and the texts that are searched. */
export const inventoryTables = (executor: Executor) =>
  executor.withTables<CertificateTables & JoinedTables & TextTables>();
