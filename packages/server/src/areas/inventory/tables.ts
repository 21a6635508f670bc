// Rows of the tables that inventory queries read together (migration 0011-certificate-text).
import type { Executor } from '../../platform/database/database.ts';
import type { CertificateTables, JoinedTables } from '../certificates/index.ts';

type TextTables = {
  /** Maintained by triggers. */
  certificate_text: {
    certificate_uuid: string;
    archived: boolean;
    /** Text that free-text search matches against. */
    text: string;
    common_name: string;
    /** As JSON. */
    alternative_names: string;
  };
};

/** Tables of certificates, of the objects shown with them in lists, and of the searched texts. */
export const inventoryTables = (executor: Executor) =>
  executor.withTables<CertificateTables & JoinedTables & TextTables>();
