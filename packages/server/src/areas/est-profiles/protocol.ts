// EST among the protocols. Its profiles are no objects of the published interface: rights on RA profiles decide.
import { protocolUrl, type ProtocolFacts, type ServedPlace } from '../protocol-profiles/index.ts';

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

/** Where the operations of a profile lie; the short form for its own name, which many clients make themselves. */
export const estUrl = (origin: string, place: ServedPlace): string =>
  place.family === 'profile'
    ? `${origin}/.well-known/est/${encodeURIComponent(place.name)}`
    : protocolUrl(origin, { ...place, protocol: est });
