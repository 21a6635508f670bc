// Registers EST as a protocol. Its profiles are not a resource in the API specification, so permissions on RA profiles
// apply.
import { protocolUrl, type ProtocolFacts, type ServedEndpoint } from '../protocol-profiles/index.ts';

export const est = {
  name: 'EST',
  word: 'est',
  resource: 'raProfiles',
  purposes: ['issue'],
  tables: {
    profiles: 'est_profile',
    activations: 'est_activation',
    activatedProfile: 'est_profile_uuid',
  },
} as const satisfies ProtocolFacts;

/**
 * Returns the base URL of a profile's operations. For a profile served under its own name, this is the short form that
 * many clients construct themselves.
 */
export const estUrl = (origin: string, place: ServedEndpoint): string =>
  place.family === 'profile'
    ? `${origin}/.well-known/est/${encodeURIComponent(place.name)}`
    : protocolUrl(origin, { ...place, protocol: est });
