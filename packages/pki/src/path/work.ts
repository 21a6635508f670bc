// State of one validation: its work budget and cached results. Certificates may be hostile, so work that grows with
// them is charged to the budget, in steps, before it is done.
import { compileConstraints, prepareNames, type CompiledConstraints, type PreparedName } from './name-constraints.ts';
import { isSignedBy } from '../x509/signed.ts';
import { normalizeName, type Name } from '../names.ts';
import { PkiError } from '../errors.ts';
import type { Budget } from './budget.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { PublicKey } from '../keys.ts';
import type { VerifySignature } from '../crypto.ts';

/** Cached results per certificate: several paths through one certificate decode and verify it only once. */
export interface PathWork {
  readonly budget: Budget;
  names(certificate: Certificate): readonly PreparedName[];
  constraints(certificate: Certificate): CompiledConstraints | undefined;
  isSigned(certificate: Certificate, issuer: Certificate): boolean;
  /** Returns the normalized text for issuer lookups. */
  nameKey(name: Name): string;
}

export function createPathWork(budget: Budget, verify: VerifySignature): PathWork {
  const names = new Map<Certificate, readonly PreparedName[]>();
  const constraints = new Map<Certificate, CompiledConstraints | undefined>();
  const nameKeys = new Map<Name, string>();
  const signatures = new Map<Certificate, Map<Certificate, boolean>>();

  return {
    budget,
    names: (certificate) => getOrCompute(names, certificate, () => prepareNames(certificate, budget)),
    constraints: (certificate) => getOrCompute(constraints, certificate, () => compileConstraints(certificate, budget)),
    nameKey: (name) =>
      getOrCompute(nameKeys, name, () => {
        budget.spend(STEPS_PER_NAME + name.der.length / NAME_OCTETS_PER_STEP);
        return normalizeName(name);
      }),
    isSigned(certificate, issuer) {
      const ofIssuers = getOrCompute(signatures, certificate, () => new Map<Certificate, boolean>());
      return getOrCompute(ofIssuers, issuer, () => {
        budget.spend(signatureSteps(issuer) + certificate.tbs.length / OCTETS_PER_STEP);
        return isSignedBy(certificate, { issuerSpki: issuer.spki, verify });
      });
    },
  };
}

function getOrCompute<Key, Value>(memory: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined || memory.has(key)) return known as Value; // The value was stored as a Value below.
  const value = make();
  memory.set(key, value);
  return value;
}

/** Number of name bytes normalized per step, and additional steps per name. */
const NAME_OCTETS_PER_STEP = 4;
const STEPS_PER_NAME = 5;

/** Number of bytes digested per step. */
const OCTETS_PER_STEP = 64;

function signatureSteps(issuer: Certificate): number {
  try {
    return keySteps(issuer.publicKey);
  } catch (error) {
    if (error instanceof PkiError) return 1000; // A key that cannot be parsed is rejected on verification.
    throw error;
  }
}

/**
 * Returns the number of steps for one verification, based on OpenSSL measurements. The cost of RSA and of curves grows
 * with the square of the size.
 */
function keySteps({ family, bits, exponent }: PublicKey): number {
  switch (family) {
    case 'RSA':
      return (bits / 128) ** 2 * ((exponent?.length ?? 0) > 4 ? 4 : 1);
    case 'DSA':
    case 'DH':
      return (bits / 64) ** 2;
    case 'ECDSA':
      return (bits / 8) ** 2;
    case 'SLH-DSA':
    case 'HashML-DSA':
      return 10_000;
    case 'HashSLH-DSA':
      return 200_000;
    case 'Composite':
      return 10_000;
    default:
      return 2000;
  }
}
