// ACME objects as a client sees them (RFC 8555 §7.1), in successful responses. Problems have other members, so tests
// check the status first.
import { isIP } from 'node:net';

export interface AcmeDirectory {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly newAuthz?: string;
  readonly revokeCert: string;
  readonly keyChange: string;
  /** RFC 9773 §3. */
  readonly renewalInfo?: string;
  readonly meta?: {
    readonly termsOfService?: string;
    readonly website?: string;
    readonly caaIdentities?: readonly string[];
    readonly externalAccountRequired?: boolean;
    /** draft-ietf-acme-profiles-00 §3. */
    readonly profiles?: Readonly<Record<string, string>>;
    /** draft-ietf-acme-dns-persist-02 §3.2, §4.1. */
    readonly issuerDomainNames?: readonly string[];
    readonly accountHashPrefix?: string;
  };
}

export interface AcmeIdentifier {
  readonly type: string;
  readonly value: string;
}

/**
 * Returns the payload that orders names and IP addresses. Text that is not an IP address is sent as a name, even if
 * invalid. Objects are sent unchanged.
 */
export function orderOf(wanted: readonly string[] | object): object {
  if (!Array.isArray(wanted)) return wanted;
  return { identifiers: wanted.map((value: string) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })) };
}

export interface AcmeProblem {
  readonly type: string;
  readonly detail?: string;
  readonly status?: number;
  readonly identifier?: AcmeIdentifier;
  readonly subproblems?: readonly AcmeProblem[];
  /** Present with `badSignatureAlgorithm` (RFC 8555 §6.2). */
  readonly algorithms?: readonly string[];
}

export interface AcmeAccount {
  readonly status: string;
  readonly contact?: readonly string[];
  readonly termsOfServiceAgreed?: boolean;
  readonly externalAccountBinding?: unknown;
  readonly orders?: string;
}

export interface AcmeOrder {
  readonly status: string;
  readonly expires?: string;
  readonly identifiers: readonly AcmeIdentifier[];
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly error?: AcmeProblem;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate?: string;
  readonly replaces?: string;
  readonly profile?: string;
}

export interface AcmeAuthorization {
  readonly identifier: AcmeIdentifier;
  readonly status: string;
  readonly expires?: string;
  readonly challenges: readonly AcmeChallenge[];
  readonly wildcard?: boolean;
}

export interface AcmeChallenge {
  readonly type: string;
  readonly url: string;
  readonly status: string;
  /** Absent with dns-persist-01. */
  readonly token: string;
  /** Present only with dns-persist-01. */
  readonly issuerDomainNames?: readonly string[];
  readonly validated?: string;
  readonly error?: AcmeProblem;
}
