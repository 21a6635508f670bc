// Rows of the tables that this area owns (migration 0016-audit-ends-and-sealing-keys).

import type { Generated, Selectable } from 'kysely';

export type KeysAtRestTables = {
  sealing_key: { key_id: string; is_current: boolean; added_at: Generated<Date>; retired_at: Date | null };
  sealing_node: { node_id: string; current_key_id: string; key_ids: string[]; seen_at: Date };
  sealing_rotation: {
    uuid: string;
    key_id: string;
    total: number;
    done: number;
    started_at: Date;
    finished_at: Date | null;
  };
  retired_key: { name: string; key_id: string; purpose: string; sealed_key: Uint8Array };
};

export type SealingKeyRow = Omit<Selectable<KeysAtRestTables['sealing_key']>, 'added_at'>;
export type SealingNodeRow = KeysAtRestTables['sealing_node'];
export type SealingRotationRow = KeysAtRestTables['sealing_rotation'];
