// Directory URLs, in both URL families.
import { protocolUrl, type ServedPlace } from '../protocol-profiles/index.ts';
import { acme } from './protocol.ts';

export const acmeBaseUrl = (origin: string, place: ServedPlace): string =>
  protocolUrl(origin, { ...place, protocol: acme });

export const directoryUrl = (origin: string, place: ServedPlace): string => `${acmeBaseUrl(origin, place)}/directory`;
