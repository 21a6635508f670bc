// RSA moduli that anyone can factor, as far as the modulus itself reveals this (CA/Browser BR §6.1.1.3): primes too
// close to each other, and primes from a faulty library. Pure arithmetic, about 50 µs for 2048 bits.

export type ModulusWeakness = 'rsa-close-primes' | 'rsa-roca';

/**
 * Returns the weakness of a big-endian modulus, or undefined if none is found. The run time grows with the square of
 * its length, which the caller must limit.
 */
export function findModulusWeakness(octets: Uint8Array): ModulusWeakness | undefined {
  const modulus = BigInt(`0x0${octets.toHex()}`);
  // Even moduli are rejected elsewhere, and the methods below require odd ones.
  if (modulus % 2n === 0n) return undefined;
  if (hasClosePrimes(modulus)) return 'rsa-close-primes';
  return hasRocaForm(modulus) ? 'rsa-roca' : undefined;
}

/** CA/Browser BR §6.1.1.3. Properly generated primes differ so much that no number of rounds would find them. */
const FERMAT_ROUNDS = 100;

/** Pairwise coprime moduli with few square residues each; their product is a safe integer. */
const SIEVE = [64, 63, 65, 11, 17, 19, 23, 31].map((modulus) => ({ modulus, squares: squaresModulo(modulus) }));
const SIEVE_PRODUCT = SIEVE.reduce((product, { modulus }) => product * modulus, 1);

function squaresModulo(modulus: number): ReadonlySet<number> {
  return new Set(Array.from({ length: modulus }, (_, root) => (root * root) % modulus));
}

/**
 * Fermat's method: searches upward from the root of `n` for an `a` such that `a² − n` is a square. The differences are
 * tracked modulo small numbers, so that only one in thousands requires the square root of a long number.
 */
function hasClosePrimes(modulus: bigint): boolean {
  const root = squareRoot(modulus);
  const first = root * root === modulus ? root : root + 1n;
  const difference = first * first - modulus;
  const firstRest = Number(first % BigInt(SIEVE_PRODUCT));
  const differenceRest = Number(difference % BigInt(SIEVE_PRODUCT));
  for (let round = 0; round < FERMAT_ROUNDS; round++) {
    // (first + round)² − n = difference + 2·first·round + round²
    const maybeSquare = SIEVE.every(({ modulus: m, squares }) =>
      squares.has(((differenceRest % m) + 2 * (firstRest % m) * round + round * round) % m),
    );
    if (maybeSquare && isSquare((first + BigInt(round)) ** 2n - modulus)) return true;
  }
  return false;
}

const isSquare = (value: bigint): boolean => squareRoot(value) ** 2n === value;

/** Returns the square root, rounded down, by Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(16).length * 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * Base of the primes that the faulty library generates: `k·M + (65537^a mod M)`, where M is the product of the first
 * primes.
 */
const ROCA_BASE = 65_537;
/** Primes that divide M for every key size, except 2, which is not informative. */
const ROCA_PRIMES = primesBetween(3, 167);
const ROCA_PRODUCT = ROCA_PRIMES.reduce((product, prime) => product * BigInt(prime), 1n);
/** For each prime, the discrete logarithm of each residue to the base, and the order of the base. */
const ROCA_LOGARITHMS = ROCA_PRIMES.map((prime) => ({ prime, ...powersModulo(prime) }));

function primesBetween(from: number, to: number): readonly number[] {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.filter((n) => Array.from({ length: n - 2 }, (_, index) => index + 2).every((d) => n % d !== 0));
}

function powersModulo(prime: number): { readonly logarithms: ReadonlyMap<number, number>; readonly order: number } {
  const logarithms = new Map<number, number>();
  for (let power = 1; !logarithms.has(power); power = (power * ROCA_BASE) % prime)
    logarithms.set(power, logarithms.size);
  return { logarithms, order: logarithms.size };
}

/**
 * Returns whether the modulus is a power of 65537 modulo M, like that of every key from the library (Nemec et al., "The
 * Return of Coppersmith's Attack", §5.1): a power modulo each prime, with one exponent for all primes. About one in
 * 2^27 sound keys meets the first condition, practically none the second.
 */
function hasRocaForm(modulus: bigint): boolean {
  const rest = modulus % ROCA_PRODUCT;
  const found: { readonly logarithm: number; readonly order: number }[] = [];
  for (const { prime, logarithms, order } of ROCA_LOGARITHMS) {
    const logarithm = logarithms.get(Number(rest % BigInt(prime)));
    if (logarithm === undefined) return false;
    found.push({ logarithm, order });
  }
  // Congruences have a common solution if every pair does (Chinese remainder theorem).
  return found.every((one, index) =>
    found.slice(index + 1).every((other) => (one.logarithm - other.logarithm) % gcd(one.order, other.order) === 0),
  );
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/**
 * The odd primes below 752, in groups whose products are safe integers, so that one division of the modulus covers a
 * whole group.
 */
const SMALL_PRIMES: readonly { readonly product: number; readonly primes: readonly number[] }[] = groupsOf(
  Array.from({ length: 752 }, (_, number) => number).filter(isOddPrime),
);

function isOddPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return number > 2;
}

function groupsOf(primes: readonly number[]): { product: number; primes: number[] }[] {
  const groups = [{ product: 1, primes: [] as number[] }];
  for (const prime of primes) {
    const last = groups.at(-1);
    if (last !== undefined && last.product * prime <= Number.MAX_SAFE_INTEGER) {
      last.product *= prime;
      last.primes.push(prime);
    } else groups.push({ product: prime, primes: [prime] });
  }
  return groups;
}

/** Returns whether a big-endian RSA modulus has an odd prime factor below 752 (CA/Browser BR §6.1.6). */
export function hasSmallFactor(octets: Uint8Array): boolean {
  const modulus = BigInt(`0x0${octets.toHex()}`);
  return SMALL_PRIMES.some(({ product, primes }) => {
    const rest = Number(modulus % BigInt(product));
    return primes.some((prime) => rest % prime === 0);
  });
}
