// Where SCEP is served, in both families of addresses. The last segment is what clients have asked for since the
// beginnings of the protocol (RFC 8894 §4.1).
import { protocolUrl, type ServedPlace } from '../protocol-profiles/index.ts';
import { scep } from './protocol.ts';

export const scepUrl = (origin: string, place: ServedPlace): string =>
  `${protocolUrl(origin, { ...place, protocol: scep })}/pkiclient.exe`;
