// Certificate names in the format used in orders. Pure.
import { formatIpAddress, type Certificate } from '@signetry/pki';
import { nameOf } from '../model/identifiers.ts';

/** Returns the DNS names and IP addresses in the subjectAltName extension, as `type:value`. */
export const certificateNames = (certificate: Certificate): string[] =>
  certificate.subjectAltNames.flatMap((name) => {
    if (name.kind === 'dNSName') return [nameOf({ type: 'dns', value: name.value.toLowerCase() })];
    const address = name.kind === 'iPAddress' ? formatIpAddress(name.octets) : undefined;
    return address === undefined ? [] : [nameOf({ type: 'ip', value: address })];
  });
