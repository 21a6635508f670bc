// Enumerations for the certificate management protocols.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

/** Status of an ACME account (RFC 8555 §7.1.6). */
export const AccountStatus = enumeration('AccountStatus', {
  valid: 'Valid',
  deactivated: 'Deactivated',
  revoked: 'Revoked',
});
export type AccountStatus = z.output<typeof AccountStatus>;

/** How CMP messages are protected (RFC 9810 §5.1.3). */
export const ProtectionMethod = enumeration('ProtectionMethod', {
  sharedSecret: 'Shared Secret',
  signature: 'Signature',
});
export type ProtectionMethod = z.output<typeof ProtectionMethod>;

export const CmpProfileVariant = enumeration('CmpProfileVariant', {
  v2: 'CMPv2',
  v2_3gpp: 'CMPv2 3GPP',
  v3: 'CMPv3',
});
export type CmpProfileVariant = z.output<typeof CmpProfileVariant>;
