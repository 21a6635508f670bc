// CMP URLs, in both URL families.
import { protocolUrl, type ServedEndpoint } from '../protocol-profiles/index.ts';
import { cmp } from './protocol.ts';

export const cmpUrl = (origin: string, place: ServedEndpoint): string =>
  protocolUrl(origin, { ...place, protocol: cmp });
