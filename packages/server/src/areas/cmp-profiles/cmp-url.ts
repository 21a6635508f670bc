// CMP URLs, in both URL families.
import { protocolUrl, type ServedPlace } from '../protocol-profiles/index.ts';
import { cmp } from './protocol.ts';

export const cmpUrl = (origin: string, place: ServedPlace): string => protocolUrl(origin, { ...place, protocol: cmp });
