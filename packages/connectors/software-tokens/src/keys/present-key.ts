// Converts keys to the format of the connector interface.
import { nonExportableKeyData, publicKeyData, type KeyFacts } from '@signetry/connector-sdk';
import type { KeyDataResponseDto } from '@signetry/contract';
import type { KeyRow } from './key-store.ts';

/** Families whose parameter set is not part of the algorithm name. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['RSA', 'ECDSA']);

function factsOf({ family, specification, bits }: KeyRow): KeyFacts {
  const name = PLAIN_NAMES.has(family) ? family : specification;
  return family === 'ECDSA' ? { family, name, bits, curve: specification } : { family, name, bits };
}

export function presentKey(row: KeyRow): KeyDataResponseDto {
  const facts = factsOf(row);
  return {
    uuid: row.uuid,
    name: row.name,
    association: row.association,
    keyData:
      row.type === 'Public'
        ? publicKeyData({ ...facts, spki: row.spki ?? new Uint8Array() })
        : nonExportableKeyData(facts, { type: row.type, reference: { token: row.token_uuid, key: row.uuid } }),
  };
}
