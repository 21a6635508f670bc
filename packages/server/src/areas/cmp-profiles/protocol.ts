// Registers CMP as a protocol.
import type { ProtocolFacts } from '../protocol-profiles/index.ts';

export const cmp = {
  name: 'CMP',
  word: 'cmp',
  resource: 'cmpProfiles',
  purposes: ['issue', 'revoke'],
  tables: {
    profiles: 'cmp_profile',
    activations: 'cmp_activation',
    activatedProfile: 'cmp_profile_uuid',
  },
} as const satisfies ProtocolFacts;
