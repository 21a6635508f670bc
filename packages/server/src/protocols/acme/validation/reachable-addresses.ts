// Resolves a host to the addresses that validation can connect to. Each address passes the egress gate and is then
// pinned, so that no second lookup can lead elsewhere (RFC 8555 §10.4).
import { isIP } from 'node:net';
import { addressClass, EgressError } from '../../../platform/net/egress.ts';
import { ValidationFailure } from './challenge.ts';
import { LookupFailure } from './lookup-failure.ts';
import type { Attempt } from './attempt.ts';

export interface Target {
  /** DNS name, or IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host as shown in error details; a name from a redirect is not repeated. */
  readonly shownAs: string;
}

/** Trying more addresses costs time without benefit. */
const MAX_ADDRESSES = 4;

/**
 * Returns at least one address. Throws `ValidationFailure` of type `dns` if there are no addresses, or `connection` if
 * none can be reached.
 */
export async function reachableAddresses(target: Target, attempt: Attempt): Promise<readonly string[]> {
  const found = isIP(target.host) === 0 ? await lookUpAddresses(target, attempt) : [target.host];
  const allowed: string[] = [];
  let refusal: ValidationFailure | undefined;
  for (const address of found.slice(0, MAX_ADDRESSES)) {
    const refused = rejectionOf(address, { target, attempt });
    if (refused) refusal ??= refused;
    else allowed.push(address);
  }
  if (allowed.length === 0 && refusal) throw refusal;
  return allowed;
}

async function lookUpAddresses({ host, shownAs }: Target, { dns, rules, signal }: Attempt): Promise<readonly string[]> {
  const found = await dns.addresses(host, { resolver: rules.resolver, signal }).catch((error: unknown) => {
    throw error instanceof LookupFailure ? error.toValidationFailure(`the addresses of ${shownAs}`) : error;
  });
  if (found.records.length > 0) return found.records;
  const detail = found.nameExists
    ? `There is no A or AAAA record for ${shownAs}.`
    : `There are no DNS records for ${shownAs}; add an A or AAAA record.`;
  throw new ValidationFailure({ type: 'dns', detail, mayChange: true });
}

function rejectionOf(
  address: string,
  { target, attempt }: { readonly target: Target; readonly attempt: Attempt },
): ValidationFailure | undefined {
  try {
    const { allowLoopback } = attempt.rules;
    attempt.egress.assertAddress(target.host, { address, port: target.port, allowLoopback });
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    attempt.targets.push(`${address} (refused)`);
    const detail = `Cannot connect to ${target.shownAs} for validation: ${rejectionText(error.reason, address)}.`;
    return new ValidationFailure({ type: 'connection', detail, mayChange: false, cause: error });
  }
}

function rejectionText(reason: EgressError['reason'], address: string): string {
  if (reason === 'ownListener') return 'its address and port belong to a listener of this platform';
  if (reason === 'notAllowed') return 'it is not in the list of allowed hosts (setting egressOnlyHosts)';
  const kind = addressClass(address);
  const remedy =
    kind === 'loopback'
      ? 'allow it in the ACME profile or in the setting egressAllowedHosts'
      : 'allow it in the setting egressAllowedHosts';
  return `its address class is ${kind}; ${remedy}`;
}
