// SCEP URLs, in both URL families. The last path segment is the one that clients have always used (RFC 8894 §4.1).
import { protocolUrl, type ServedEndpoint } from '../protocol-profiles/index.ts';
import { scep } from './protocol.ts';

export const scepUrl = (origin: string, place: ServedEndpoint): string =>
  `${protocolUrl(origin, { ...place, protocol: scep })}/pkiclient.exe`;
