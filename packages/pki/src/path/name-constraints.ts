// Name constraints (RFC 5280 §4.2.1.10, §6.1.3 b and c): whether the names of a certificate are within the permitted
// and outside the excluded subtrees of the CAs above it. Names of a constrained type that cannot be matched are
// rejected. Names and subtrees may be hostile, so each is normalized once and names are looked up instead of compared
// with every subtree.
import { attributeValues, isEmptyName, rdnKey, type Name } from '../names.ts';
import { createSubtrees, type Subtrees } from './subtrees.ts';
import { formatGeneralName, type GeneralName, type GeneralNameKind } from '../x509/general-names.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { parseIpAddress } from '../x509/ip-address.ts';
import type { Budget } from './budget.ts';
import type { Certificate } from '../x509/certificate.ts';

/** A name in lookup form. */
export type PreparedName = { readonly name: GeneralName } & (
  | { readonly form: 'domain'; readonly labels: readonly string[] }
  | { readonly form: 'directory'; readonly labels: readonly string[] }
  | { readonly form: 'mailbox'; readonly mailbox: string; readonly labels: readonly string[] }
  | { readonly form: 'host'; readonly labels: readonly string[] }
  | { readonly form: 'address'; readonly octets: Uint8Array }
  /** A type for which no subtrees are defined. */
  | { readonly form: 'undecidable' }
);

interface Side {
  readonly kinds: ReadonlySet<GeneralNameKind>;
  readonly domains: Subtrees;
  readonly hosts: Subtrees;
  readonly mailHosts: Subtrees;
  readonly mailboxes: ReadonlySet<string>;
  readonly directories: Subtrees;
  readonly networks: Networks;
}

/** Name constraints of one CA. */
export interface CompiledConstraints {
  readonly permitted: Side;
  readonly excluded: Side;
}

/** Returns why a name violates the constraints above it, or `undefined` if no name does. */
export function violatedConstraint(
  names: readonly PreparedName[],
  constraints: readonly CompiledConstraints[],
  budget: Budget,
): string | undefined {
  for (const prepared of names) {
    const { name } = prepared;
    for (const { permitted, excluded } of constraints) {
      budget.spend(1);
      if (excluded.kinds.has(name.kind) && isInside(prepared, excluded, { budget, undecided: true })) {
        return `The name ${shortText(name)} is in an excluded subtree.`;
      }
      // Permitted subtrees intersect; a type that a CA does not mention remains unconstrained (RFC 5280 §6.1.4 g 1).
      if (permitted.kinds.has(name.kind) && !isInside(prepared, permitted, { budget, undecided: false })) {
        return `The name ${shortText(name)} is not in a permitted subtree.`;
      }
    }
  }
  return undefined;
}

/** Maximum length of names in messages, long enough for any real name. */
const MAX_SHOWN = 256;

function shortText(name: GeneralName): string {
  const text = formatGeneralName(name);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/**
 * Returns the subject if it is not empty, all SANs, and the subject's e-mail addresses if no SAN is an e-mail address.
 */
export function prepareNames(certificate: Certificate, budget: Budget): PreparedName[] {
  budget.spend(certificate.der.length / OCTETS_PER_STEP);
  const { subject, subjectAltNames } = certificate;
  const names: GeneralName[] = isEmptyName(subject) ? [] : [{ kind: 'directoryName', name: subject }];
  names.push(...subjectAltNames);
  // RFC 9598 §6: constraints on rfc822Name apply to mailboxes in UTF-8.
  for (const name of subjectAltNames) {
    if (name.kind === 'otherName' && name.type === OID.smtpUtf8Mailbox) {
      names.push({ kind: 'rfc822Name', value: formatGeneralName(name).slice(name.type.length + 1) });
    }
  }
  if (!subjectAltNames.some(({ kind }) => kind === 'rfc822Name')) {
    for (const value of attributeValues(subject, OID.emailAddress)) names.push({ kind: 'rfc822Name', value });
  }
  return names.map((name) => prepare(name, budget));
}

/** Number of bytes that are decoded, folded and split per step. */
const OCTETS_PER_STEP = 4;

function prepare(name: GeneralName, budget: Budget): PreparedName {
  switch (name.kind) {
    case 'dNSName':
      return { name, form: 'domain', labels: domainLabels(name.value, budget) };
    case 'directoryName':
      return { name, form: 'directory', labels: rdnLabels(name.name, budget) };
    case 'rfc822Name': {
      const at = name.value.lastIndexOf('@');
      if (at <= 0 || at === name.value.length - 1) return { name, form: 'undecidable' };
      const host = name.value.slice(at + 1).toLowerCase();
      return {
        name,
        form: 'mailbox',
        mailbox: `${name.value.slice(0, at)}@${host}`,
        labels: hostLabels(host, budget),
      };
    }
    case 'uniformResourceIdentifier': {
      const host = hostOfUri(name.value);
      return host === undefined
        ? { name, form: 'undecidable' }
        : { name, form: 'host', labels: hostLabels(host, budget) };
    }
    case 'iPAddress':
      return name.octets.length === 4 || name.octets.length === 16
        ? { name, form: 'address', octets: name.octets }
        : { name, form: 'undecidable' };
    default:
      return { name, form: 'undecidable' };
  }
}

/** Returns lowercase labels from right to left; a trailing dot is ignored. */
function domainLabels(text: string, budget: Budget): string[] {
  return hostLabels(text.replace(/\.$/, ''), budget);
}

function hostLabels(text: string, budget: Budget): string[] {
  budget.spend(text.length / OCTETS_PER_STEP);
  return text === '' ? [] : text.toLowerCase().split('.').reverse();
}

/** Returns RDNs from the top, each normalized (RFC 5280 §7.1). */
function rdnLabels({ der, rdns }: Name, budget: Budget): string[] {
  budget.spend(rdns.length + der.length / OCTETS_PER_STEP);
  return rdns.map(rdnKey);
}

/**
 * Returns the host of a URI if it is a domain name: constraints do not apply to other hosts (RFC 5280 §4.2.1.10). A
 * host with other characters has no single reading: browsers end it at a backslash, other clients do not.
 */
function hostOfUri(uri: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1];
  if (authority === undefined || authority.includes('\\')) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  if (!DOMAIN_NAME.test(host) || parseIpAddress(host) !== undefined) return undefined;
  return host.toLowerCase().replace(/\.$/, '');
}

/** Letters, digits, hyphens and underscores in labels; a trailing dot is allowed. */
const DOMAIN_NAME = /^(?:[a-z\d_-]+\.)*[a-z\d_-]+\.?$/i;

/** Returns the subtrees of a certificate in lookup form, or `undefined` if it has no constraints. */
export function compileConstraints(certificate: Certificate, budget: Budget): CompiledConstraints | undefined {
  budget.spend((certificate.extensionValue(OID.nameConstraints)?.length ?? 0) / OCTETS_PER_STEP);
  const constraints = certificate.nameConstraints;
  if (constraints === undefined) return undefined;
  // The issuer intended to constrain something, but it is unknown what.
  if (constraints.permitted.length + constraints.excluded.length === 0)
    throw new PkiError('bad-value', 'The name constraints are empty (RFC 5280 §4.2.1.10).');
  return {
    permitted: compileSide(constraints.permitted, budget),
    excluded: compileSide(constraints.excluded, budget),
  };
}

function compileSide(bases: readonly GeneralName[], budget: Budget): Side {
  const mailboxes = new Set<string>();
  const side = {
    kinds: new Set(bases.map(({ kind }) => kind)),
    domains: createSubtrees(budget),
    hosts: createSubtrees(budget),
    mailHosts: createSubtrees(budget),
    mailboxes,
    directories: createSubtrees(budget),
    networks: createNetworks(budget),
  };
  for (const base of bases) {
    switch (base.kind) {
      case 'dNSName':
        side.domains.add(...domainSubtree(base.value, budget));
        break;
      case 'uniformResourceIdentifier':
        side.hosts.add(...hostSubtree(base.value, budget));
        break;
      case 'rfc822Name': {
        const at = base.value.lastIndexOf('@');
        if (at === -1) side.mailHosts.add(...hostSubtree(base.value, budget));
        else mailboxes.add(`${base.value.slice(0, at)}@${base.value.slice(at + 1).toLowerCase()}`);
        break;
      }
      case 'directoryName':
        side.directories.add(rdnLabels(base.name, budget), { self: true, below: true });
        break;
      case 'iPAddress':
        side.networks.add(base.octets);
        break;
      default:
        break; // `kinds` includes this type, so names of this type cannot be matched.
    }
  }
  return side;
}

type Subtree = Parameters<Subtrees['add']>;

/**
 * Returns a subtree for a domain and its subdomains or, if it starts with a dot, only for the subdomains. Empty text
 * matches every name.
 */
function domainSubtree(base: string, budget: Budget): Subtree {
  if (base.startsWith('.')) return [domainLabels(base.slice(1), budget), { self: false, below: true }];
  return [domainLabels(base, budget), { self: true, below: true }];
}

/**
 * Returns a subtree for a single host or, if it starts with a dot, for its subdomains (RFC 5280 §4.2.1.10 for URIs and
 * mailboxes).
 */
function hostSubtree(base: string, budget: Budget): Subtree {
  if (base === '') return [[], { self: true, below: true }];
  if (base.startsWith('.')) return [hostLabels(base.slice(1), budget), { self: false, below: true }];
  return [hostLabels(base, budget), { self: true, below: false }];
}

/**
 * Returns whether a name is in a subtree of its type, or `undecided` if the name cannot be matched. There must be at
 * least one subtree of this type.
 */
function isInside(
  prepared: PreparedName,
  side: Side,
  { undecided, budget }: { readonly undecided: boolean; readonly budget: Budget },
): boolean {
  switch (prepared.form) {
    case 'domain':
      return side.domains.has(prepared.labels) || (undecided && mayOverlap(prepared.labels, side.domains));
    case 'host':
      return side.hosts.has(prepared.labels);
    case 'mailbox':
      budget.spend(prepared.mailbox.length / OCTETS_PER_STEP);
      return side.mailboxes.has(prepared.mailbox) || side.mailHosts.has(prepared.labels);
    case 'directory':
      return side.directories.has(prepared.labels);
    case 'address':
      return side.networks.has(prepared.octets) ?? undecided;
    case 'undecidable':
      return undecided;
  }
}

/**
 * A wildcard stands for exactly one label (RFC 9525 §6.3), so it overlaps an excluded subtree whose top is one label
 * below its own domain, but none that starts deeper: `*.example.com` can match `secret.example.com`, but not
 * `a.b.example.com`.
 */
function mayOverlap(labels: readonly string[], excluded: Subtrees): boolean {
  return (labels.at(-1)?.includes('*') ?? false) && excluded.hasOneBelow(labels.slice(0, -1));
}

interface Networks {
  add(base: Uint8Array): void;
  /** Returns `undefined` if a base cannot be matched and no other base contains the address. */
  has(address: Uint8Array): boolean | undefined;
}

/** Groups networks by mask, so that an address is masked once per distinct mask. Real certificates have few masks. */
function createNetworks(budget: Budget): Networks {
  const byMask = new Map<string, { readonly mask: Uint8Array; readonly addresses: Set<string> }>();
  let hasMalformed = false;
  const masked = (address: Uint8Array, mask: Uint8Array): string =>
    address.map((octet, index) => octet & (mask[index] ?? 0)).toHex();
  return {
    add(base) {
      budget.spend(4);
      const half = base.length / 2;
      if (half !== 4 && half !== 16) {
        hasMalformed = true;
        return;
      }
      const mask = base.subarray(half);
      const known = byMask.get(mask.toHex()) ?? { mask, addresses: new Set<string>() };
      known.addresses.add(masked(base.subarray(0, half), mask));
      byMask.set(mask.toHex(), known);
    },
    has(address) {
      for (const { mask, addresses } of byMask.values()) {
        if (mask.length !== address.length) continue;
        budget.spend(4);
        if (addresses.has(masked(address, mask))) return true;
      }
      return hasMalformed ? undefined : false;
    },
  };
}
