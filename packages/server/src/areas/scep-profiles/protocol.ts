// SCEP as a protocol.
import type { ProtocolFacts } from '../protocol-profiles/index.ts';

export const scep = {
  name: 'SCEP',
  word: 'scep',
  resource: 'scepProfiles',
  purposes: ['issue'],
  tables: {
    profiles: 'scep_profile',
    activations: 'scep_activation',
    activatedProfile: 'scep_profile_uuid',
  },
} as const satisfies ProtocolFacts;
