// The state of one validation: its work budget and what it has computed already. Certificates may be hostile, so
// work that grows with them is taken from the budget, in steps, before it is done.
import { compileConstraints, prepareNames, type CompiledConstraints, type PreparedName } from './name-constraints.ts';
import { isSignedBy } from '../x509/signed.ts';
import { normalizeName, type Name } from '../names.ts';
import { PkiError } from '../errors.ts';
import type { Budget } from './budget.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { PublicKey } from '../keys.ts';
import type { VerifySignature } from '../crypto.ts';

/** Memory per certificate: several paths through one certificate decode and verify it once. */
export interface PathWork {
  readonly budget: Budget;
  names(certificate: Certificate): readonly PreparedName[];
  constraints(certificate: Certificate): CompiledConstraints | undefined;
  isSigned(certificate: Certificate, issuer: Certificate): boolean;
  /** The text used to look up issuers. */
  nameKey(name: Name): string;
}

export function createPathWork(budget: Budget, verify: VerifySignature): PathWork {
  const names = new Map<Certificate, readonly PreparedName[]>();
  const constraints = new Map<Certificate, CompiledConstraints | undefined>();
  const nameKeys = new Map<Name, string>();
  const signatures = new Map<Certificate, Map<Certificate, boolean>>();

  return {
    budget,
    names: (certificate) => remembered(names, certificate, () => prepareNames(certificate, budget)),
    constraints: (certificate) => remembered(constraints, certificate, () => compileConstraints(certificate, budget)),
    nameKey: (name) =>
      remembered(nameKeys, name, () => {
        budget.spend(STEPS_PER_NAME + name.der.length / NAME_OCTETS_PER_STEP);
        return normalizeName(name);
      }),
    isSigned(certificate, issuer) {
      const ofIssuers = remembered(signatures, certificate, () => new Map<Certificate, boolean>());
      return remembered(ofIssuers, issuer, () => {
        budget.spend(signatureSteps(issuer) + certificate.tbs.length / OCTETS_PER_STEP);
        return isSignedBy(certificate, { issuerSpki: issuer.spki, verify });
      });
    },
  };
}

function remembered<Key, Value>(memory: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined || memory.has(key)) return known as Value; // stored as a Value below
  const value = make();
  memory.set(key, value);
  return value;
}

/** Octets of a name that are normalized in one step, and the additional steps for each name. */
const NAME_OCTETS_PER_STEP = 4;
const STEPS_PER_NAME = 5;

/** Octets that a digest processes in one step. */
const OCTETS_PER_STEP = 64;

function signatureSteps(issuer: Certificate): number {
  try {
    return keySteps(issuer.publicKey);
  } catch (error) {
    if (error instanceof PkiError) return 1000; // a key that cannot be read is refused on verification
    throw error;
  }
}

/** Steps of one verification, from measurements of OpenSSL; the square is how the cost of RSA and of curves grows. */
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
      return 10_000;
    default:
      return 2000;
  }
}
