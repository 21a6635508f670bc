// Token metadata that the platform shows in addition to the name.
import { metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import type { TokenRow } from './token-store.ts';

/** Platforms store values under these UUIDs, so a number is never reused or changed. */
const uuid = (number: number): string => `8d1c2f64-3b7a-4c50-9e25-${String(number).padStart(12, '0')}`;

export const tokenMetadata = ({
  library,
  label,
  serial,
}: Pick<TokenRow, 'library' | 'label' | 'serial'>): MetadataAttribute[] =>
  [
    { name: 'meta_library', label: 'Library', value: library },
    { name: 'meta_tokenLabel', label: 'Token label', value: label },
    { name: 'meta_tokenSerial', label: 'Serial number', value: serial },
  ].map((facts, index) =>
    metadataAttribute({
      uuid: uuid(index + 1),
      name: facts.name,
      label: facts.label,
      contentType: 'string',
      content: [facts.value],
      overwrite: true,
    }),
  );
