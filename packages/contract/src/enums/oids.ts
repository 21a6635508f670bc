// Enumerations for the OID registry.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const OidCategory = enumeration('OidCategory', {
  rdnAttributeType: 'RDN Attribute Type',
  extendedKeyUsage: 'Extended Key Usage',
  generic: 'Generic',
});
export type OidCategory = z.output<typeof OidCategory>;
