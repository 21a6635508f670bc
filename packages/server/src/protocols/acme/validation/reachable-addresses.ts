// From a host to the addresses that may be connected to. Each passes the egress gate and is then pinned: no second
// look-up can lead elsewhere (RFC 8555 §10.4).
import { isIP } from 'node:net';
import { addressClass, EgressError } from '../../../platform/net/egress.ts';
import { ValidationFailure } from './challenge.ts';
import { LookupFailure } from './lookup-failure.ts';
import type { Attempt } from './attempt.ts';

export interface Target {
  /** A DNS name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** How details name the host: a name that a redirect brought is not repeated. */
  readonly shownAs: string;
}

/** More are of no use, and each costs time. */
const MAX_ADDRESSES = 4;

/**
 * At least one address. Throws `ValidationFailure`: `dns` when there is none, `connection` when none may be reached.
 */
export async function reachableAddresses(target: Target, attempt: Attempt): Promise<readonly string[]> {
  const found = isIP(target.host) === 0 ? await lookedUp(target, attempt) : [target.host];
  const allowed: string[] = [];
  let refusal: ValidationFailure | undefined;
  for (const address of found.slice(0, MAX_ADDRESSES)) {
    const refused = refusalOf(address, { target, attempt });
    if (refused) refusal ??= refused;
    else allowed.push(address);
  }
  if (allowed.length === 0 && refusal) throw refusal;
  return allowed;
}

async function lookedUp({ host, shownAs }: Target, { dns, rules, signal }: Attempt): Promise<readonly string[]> {
  const found = await dns.addresses(host, { resolver: rules.resolver, signal }).catch((error: unknown) => {
    throw error instanceof LookupFailure ? error.toValidationFailure(`the addresses of ${shownAs}`) : error;
  });
  if (found.records.length > 0) return found.records;
  const detail = found.nameExists
    ? `There is no A or AAAA record for ${shownAs}.`
    : `DNS does not know ${shownAs}; add an A or AAAA record.`;
  throw new ValidationFailure({ type: 'dns', detail, mayChange: true });
}

function refusalOf(
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
    const detail = `Validation does not connect to ${target.shownAs}: ${refusalText(error.reason, address)}.`;
    return new ValidationFailure({ type: 'connection', detail, mayChange: false, cause: error });
  }
}

function refusalText(reason: EgressError['reason'], address: string): string {
  if (reason === 'ownListener') return 'its address and port are a listener of this platform';
  if (reason === 'notAllowed') return 'it is not on the list of hosts that may be reached (setting egressOnlyHosts)';
  const kind = addressClass(address);
  const remedy =
    kind === 'loopback'
      ? 'the ACME profile or the setting egressAllowedHosts can allow it'
      : 'the setting egressAllowedHosts can allow it';
  return `its address is of the class ${kind}; ${remedy}`;
}
