// Directory URLs, in both URL families.
import { protocolUrl, type ServedEndpoint } from '../protocol-profiles/index.ts';
import { acme } from './protocol.ts';

export const acmeBaseUrl = (origin: string, place: ServedEndpoint): string =>
  protocolUrl(origin, { ...place, protocol: acme });

export const directoryUrl = (origin: string, place: ServedEndpoint): string =>
  `${acmeBaseUrl(origin, place)}/directory`;
