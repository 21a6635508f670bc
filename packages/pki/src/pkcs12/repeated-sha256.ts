// Repeatedly applies SHA-256 to its own output, thousands of times (FIPS 180-4 §6.2). With Web Crypto, each digest is a
// separate task: 100,000 in sequence take seconds, mostly spent waiting. The input is always a single digest, so one
// block suffices. No branch or table lookup depends on the hashed data.

const OCTETS = 32;

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
}
/**
 * Returns the first 32 bits of the fractional part. A double has about 48, so differences between engines in the last
 * bits of a root do not matter.
 */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
/** §4.2.2: from the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
/** §5.3.3: from the square roots of the first eight primes. */
const INITIAL_STATE = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** Applies SHA-256 to the digest `times` times. `digest` must be 32 bytes long and is not modified. */
export function repeatSha256(digest: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  const state = new Int32Array(OCTETS / 4);
  const schedule = new Int32Array(64);
  const octets = Uint8Array.from(digest);
  const view = new DataView(octets.buffer);
  for (let word = 0; word < state.length; word++) state[word] = view.getInt32(4 * word);
  for (let i = 0; i < times; i++) {
    schedule.set(state);
    // Padding to one block (§5.1.1): a one bit, zeros, and the length in bits.
    schedule.fill(0, state.length, 16);
    schedule[state.length] = 0x8000_0000;
    schedule[15] = 8 * OCTETS;
    state.set(INITIAL_STATE);
    compress(state, schedule);
  }
  // The index is within bounds.
  for (let word = 0; word < state.length; word++) view.setInt32(4 * word, state[word] as number);
  state.fill(0);
  schedule.fill(0);
  return octets;
}

/** Compresses the block in the first 16 words of the schedule (§6.2.2). */
function compress(state: Int32Array, schedule: Int32Array): void {
  for (let t = 16; t < 64; t++) {
    const near = schedule[t - 2] as number; // `t` keeps all indexes within bounds.
    const far = schedule[t - 15] as number;
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    schedule[t] = sigma1 + (schedule[t - 7] as number) + sigma0 + (schedule[t - 16] as number);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state; // All eight values are present.
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + (ROUND_CONSTANTS[t] as number) + (schedule[t] as number)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
  }
  const words = [a, b, c, d, e, f, g, h];
  for (let word = 0; word < words.length; word++) state[word] = (state[word] as number) + (words[word] as number);
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
