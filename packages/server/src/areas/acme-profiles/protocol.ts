// Registers ACME as a protocol.
import type { ProtocolFacts } from '../protocol-profiles/index.ts';

export const acme = {
  name: 'ACME',
  word: 'acme',
  resource: 'acmeProfiles',
  purposes: ['issue', 'revoke'],
  tables: {
    profiles: 'acme_profile',
    activations: 'acme_activation',
    activatedProfile: 'acme_profile_uuid',
  },
} as const satisfies ProtocolFacts;
