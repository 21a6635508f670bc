// Name constraints (RFC 5280 §4.2.1.10, §6.1.3 b and c): whether the names of a certificate lie inside the permitted and outside
// the excluded subtrees of the authorities above it. A name whose kind is constrained but cannot be judged is refused.
import { attributeValues, equalRdns, isEmptyName, type Name } from '../names.ts';
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import { OID } from '../oids.ts';
import { parseIpAddress } from '../x509/ip-address.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { NameConstraints } from '../x509/extensions.ts';

/** Bound of comparisons of one certificate: names times subtrees. Both are attacker-chosen. */
const MAX_COMPARISONS = 1_000_000;

/** Why a certificate's names break the constraints; `undefined` when they do not. Throws `DerError` for malformed names. */
export function violatedConstraint(
  certificate: Certificate,
  constraints: readonly NameConstraints[],
): string | undefined {
  if (constraints.length === 0) return undefined;
  const names = constrainedNames(certificate);
  const subtrees = constraints.reduce((sum, { permitted, excluded }) => sum + permitted.length + excluded.length, 0);
  if (names.length * subtrees > MAX_COMPARISONS)
    return 'The certificate has too many names to compare with its constraints.';
  for (const name of names) {
    for (const { permitted, excluded } of constraints) {
      if (excluded.some((base) => base.kind === name.kind && matches(name, base, 'excluded'))) {
        return `The name ${formatGeneralName(name)} is excluded.`;
      }
      // Each authority's list narrows what remains: a kind that it does not mention stays free (RFC 5280 §6.1.4 g 1).
      const sameKind = permitted.filter((base) => base.kind === name.kind);
      if (sameKind.length > 0 && !sameKind.some((base) => matches(name, base, 'permitted'))) {
        return `The name ${formatGeneralName(name)} is not permitted.`;
      }
    }
  }
  return undefined;
}

/** The subject when not empty, all alternative names, and e-mail addresses of the subject when there are none beside it. */
function constrainedNames(certificate: Certificate): GeneralName[] {
  const { subject, subjectAltNames } = certificate;
  const names: GeneralName[] = isEmptyName(subject) ? [] : [{ kind: 'directoryName', name: subject }];
  names.push(...subjectAltNames);
  // RFC 9598 §6: mailboxes in UTF-8 obey the constraints of rfc822Name.
  for (const name of subjectAltNames) {
    if (name.kind === 'otherName' && name.type === OID.smtpUtf8Mailbox) {
      names.push({ kind: 'rfc822Name', value: formatGeneralName(name).slice(name.type.length + 1) });
    }
  }
  if (!subjectAltNames.some(({ kind }) => kind === 'rfc822Name')) {
    for (const value of attributeValues(subject, OID.emailAddress)) names.push({ kind: 'rfc822Name', value });
  }
  return names;
}

type Side = 'permitted' | 'excluded';

/** Whether a name falls into a subtree of its own kind. What cannot be judged falls into every excluded and no permitted one. */
function matches(name: GeneralName, base: GeneralName, side: Side): boolean {
  const undecidable = side === 'excluded';
  if (name.kind === 'dNSName' && base.kind === 'dNSName') return matchesDns(name.value, base.value, side);
  if (name.kind === 'rfc822Name' && base.kind === 'rfc822Name') {
    return matchesMailbox(name.value, base.value) ?? undecidable;
  }
  if (name.kind === 'uniformResourceIdentifier' && base.kind === 'uniformResourceIdentifier') {
    const host = hostOfUri(name.value);
    return host === undefined ? undecidable : matchesHost(host, base.value.toLowerCase());
  }
  if (name.kind === 'directoryName' && base.kind === 'directoryName') return isBelow(name.name, base.name);
  if (name.kind === 'iPAddress' && base.kind === 'iPAddress')
    return matchesAddress(name.octets, base.octets) ?? undecidable;
  return undecidable;
}

function matchesDns(rawName: string, rawBase: string, side: Side): boolean {
  const name = rawName.toLowerCase().replace(/\.$/, '');
  const base = rawBase.toLowerCase().replace(/\.$/, '');
  if (base === '') return true;
  if (base.startsWith('.')) return name.endsWith(base);
  if (name === base || name.endsWith(`.${base}`)) return true;
  // A wildcard stands for every name one label deeper, so it must not reach into an excluded subtree.
  return side === 'excluded' && name.startsWith('*.') && base.endsWith(name.slice(1));
}

/** The base is a mailbox, a host, or a domain with a leading dot. `undefined` when the name is no mailbox. */
function matchesMailbox(name: string, base: string): boolean | undefined {
  const at = name.lastIndexOf('@');
  if (at <= 0 || at === name.length - 1) return undefined;
  const host = name.slice(at + 1).toLowerCase();
  const baseAt = base.lastIndexOf('@');
  if (baseAt === -1) return matchesHost(host, base.toLowerCase());
  return name.slice(0, at) === base.slice(0, baseAt) && host === base.slice(baseAt + 1).toLowerCase();
}

function matchesHost(host: string, base: string): boolean {
  if (base === '') return true;
  return base.startsWith('.') ? host.endsWith(base) && host.length > base.length : host === base;
}

/** The host of a URI when it is a domain name: constraints do not apply to others (RFC 5280 §4.2.1.10). */
function hostOfUri(uri: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1];
  if (authority === undefined) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (host === '' || host.startsWith('[') || parseIpAddress(host) !== undefined) return undefined;
  return host.toLowerCase();
}

/** The base is an address and a mask of the same length. */
function matchesAddress(address: Uint8Array, base: Uint8Array): boolean | undefined {
  if (address.length !== 4 && address.length !== 16) return undefined;
  if (base.length !== 2 * address.length) return base.length === 8 || base.length === 32 ? false : undefined;
  return address.every((octet, index) => {
    const mask = base[address.length + index] as number; // base has twice the length
    return (octet & mask) === ((base[index] as number) & mask);
  });
}

/** Whether the RDNs of the base come first in the name (RFC 5280 §7.1 for the comparison). */
function isBelow(name: Name, base: Name): boolean {
  return (
    base.rdns.length <= name.rdns.length && base.rdns.every((rdn, index) => equalRdns(rdn, name.rdns[index] ?? []))
  );
}
