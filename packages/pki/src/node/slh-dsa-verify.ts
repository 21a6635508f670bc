// Verification of SLH-DSA signatures for a message that is already encoded (FIPS 205 algorithm 20,
// slh_verify_internal). node:crypto verifies only pure SLH-DSA, whose encoding starts with another byte than that of
// HashSLH-DSA. All inputs are public, so the computation need not run in constant time.
import { hash } from 'node:crypto';
import { concatBytes, equalBytes } from '../bytes.ts';
import type { EncodedMaterial } from './ml-dsa-verify.ts';

interface Parameters {
  /** Security parameter: length of a hash in bytes. */
  readonly n: number;
  /** Total height of the hypertree. */
  readonly h: number;
  /** Number of its layers. */
  readonly d: number;
  /** Height of a FORS tree, and number of FORS trees. */
  readonly a: number;
  readonly k: number;
}

/** FIPS 205 table 2, by security level and variant. */
const PARAMETERS: Readonly<Record<string, Parameters>> = {
  '128S': { n: 16, h: 63, d: 7, a: 12, k: 14 },
  '128F': { n: 16, h: 66, d: 22, a: 6, k: 33 },
  '192S': { n: 24, h: 63, d: 7, a: 14, k: 17 },
  '192F': { n: 24, h: 66, d: 22, a: 8, k: 33 },
  '256S': { n: 32, h: 64, d: 8, a: 14, k: 22 },
  '256F': { n: 32, h: 68, d: 17, a: 9, k: 35 },
};

/** Types of addresses (FIPS 205 §4.2). */
const WOTS_HASH = 0;
const WOTS_PK = 1;
const TREE = 2;
const FORS_TREE = 3;
const FORS_ROOTS = 4;

/** Position of a hash within the structure. The last two members have other names in some types. */
interface Address {
  readonly layer: number;
  readonly tree: bigint;
  readonly type: number;
  readonly keyPair?: number;
  /** Chain, or height in a tree. */
  readonly height?: number;
  /** Step in a chain, or index in a tree. */
  readonly index?: number;
}

interface HashFunctions {
  readonly parameters: Parameters;
  /** F: hashes one node. */
  readonly single: (address: Address, node: Uint8Array) => Uint8Array;
  /** H and T: hash multiple nodes. */
  readonly multiple: (address: Address, nodes: readonly Uint8Array[]) => Uint8Array;
  readonly message: (randomizer: Uint8Array, message: Uint8Array, length: number) => Uint8Array;
}

function encodeAddress(address: Address, isCompressed: boolean): Uint8Array {
  const { layer, tree, type, keyPair = 0, height = 0, index = 0 } = address;
  const octets = new Uint8Array(isCompressed ? 22 : 32);
  const view = new DataView(octets.buffer);
  if (isCompressed) {
    view.setUint8(0, layer);
    view.setBigUint64(1, tree);
    view.setUint8(9, type);
  } else {
    view.setUint32(0, layer);
    view.setBigUint64(8, tree);
    view.setUint32(16, type);
  }
  const rest = isCompressed ? 10 : 20;
  for (const [place, value] of [keyPair, height, index].entries()) view.setUint32(rest + 4 * place, value);
  return octets;
}

const digestOf = (name: string, pieces: readonly Uint8Array[]): Uint8Array => hash(name, concatBytes(pieces), 'buffer');

/** FIPS 205 §11.1. */
function shakeFunctions(parameters: Parameters, keyBytes: Uint8Array): HashFunctions {
  const { n } = parameters;
  const seed = keyBytes.subarray(0, n);
  const shake = (pieces: readonly Uint8Array[], outputLength: number): Uint8Array =>
    hash('shake256', concatBytes(pieces), { outputEncoding: 'buffer', outputLength });
  const multiple = (address: Address, nodes: readonly Uint8Array[]): Uint8Array =>
    shake([seed, encodeAddress(address, false), ...nodes], n);
  return {
    parameters,
    single: (address, node) => multiple(address, [node]),
    multiple,
    message: (randomizer, message, length) => shake([randomizer, keyBytes, message], length),
  };
}

/** FIPS 205 §11.2: category 1 uses only SHA-256, the others SHA-512 except for single nodes. */
function sha2Functions(parameters: Parameters, keyBytes: Uint8Array): HashFunctions {
  const { n } = parameters;
  const seed = keyBytes.subarray(0, n);
  const wide = n === 16 ? { name: 'sha256', block: 64 } : { name: 'sha512', block: 128 };
  const seedBlocks = { narrow: padded(seed, 64), wide: padded(seed, wide.block) };
  return {
    parameters,
    single: (address, node) =>
      digestOf('sha256', [seedBlocks.narrow, encodeAddress(address, true), node]).subarray(0, n),
    multiple: (address, nodes) =>
      digestOf(wide.name, [seedBlocks.wide, encodeAddress(address, true), ...nodes]).subarray(0, n),
    message: (randomizer, message, length) => {
      const inner = digestOf(wide.name, [randomizer, keyBytes, message]);
      const blocks: Uint8Array[] = [];
      for (let made = 0, counter = 0; made < length; made += inner.length, counter++)
        blocks.push(digestOf(wide.name, [randomizer, seed, inner, Uint8Array.of(0, 0, 0, counter)]));
      return concatBytes(blocks).subarray(0, length);
    },
  };
}

function padded(seed: Uint8Array, length: number): Uint8Array {
  const block = new Uint8Array(length);
  block.set(seed);
  return block;
}

/** Reads integers of a number of bits, most significant bit first (FIPS 205 algorithm 4). */
function digits(octets: Uint8Array, bits: number, count: number): number[] {
  const all = BigInt(`0x0${octets.toHex()}`);
  const total = BigInt(octets.length * 8);
  const mask = (1n << BigInt(bits)) - 1n;
  return Array.from({ length: count }, (_, index) => Number((all >> (total - BigInt(bits * (index + 1)))) & mask));
}

/** Splits consecutive nodes of a signature. */
const nodesOf = (octets: Uint8Array, n: number): Uint8Array[] =>
  Array.from({ length: octets.length / n }, (_, index) => octets.subarray(index * n, (index + 1) * n));

/** Hashes from a leaf to its root along an authentication path. `index` counts within the level of the leaf. */
function climb(
  { multiple }: HashFunctions,
  start: { readonly node: Uint8Array; readonly index: number; readonly address: Address },
  path: readonly Uint8Array[],
): Uint8Array {
  let { node, index } = start;
  for (const [level, sibling] of path.entries()) {
    const pair = index % 2 === 0 ? [node, sibling] : [sibling, node];
    index = Math.floor(index / 2);
    node = multiple({ ...start.address, height: level + 1, index }, pair);
  }
  return node;
}

/** FIPS 205 algorithm 8. */
function wotsKey(functions: HashFunctions, input: { signature: Uint8Array; node: Uint8Array; address: Address }) {
  const { n } = functions.parameters;
  const { node, address } = input;
  const message = digits(node, 4, 2 * n);
  const checksum = message.reduce((sum, digit) => sum + 15 - digit, 0);
  const steps = [...message, (checksum >> 8) & 15, (checksum >> 4) & 15, checksum & 15];
  const ends = nodesOf(input.signature, n).map((start, chain) => {
    let value = start;
    for (let step = steps[chain] ?? 0; step < 15; step++)
      value = functions.single({ ...address, type: WOTS_HASH, height: chain, index: step }, value);
    return value;
  });
  return functions.multiple({ ...address, type: WOTS_PK }, ends);
}

/** FIPS 205 algorithm 17. */
function forsKey(
  functions: HashFunctions,
  input: { signature: Uint8Array; message: Uint8Array; tree: bigint; keyPair: number },
): Uint8Array {
  const { n, a, k } = functions.parameters;
  const address = { layer: 0, tree: input.tree, type: FORS_TREE, keyPair: input.keyPair };
  const indices = digits(input.message, a, k);
  const treeLength = n * (a + 1);
  const roots = indices.map((leaf, tree) => {
    const [secret = new Uint8Array(), ...path] = nodesOf(
      input.signature.subarray(tree * treeLength, (tree + 1) * treeLength),
      n,
    );
    const index = tree * 2 ** a + leaf;
    const node = functions.single({ ...address, height: 0, index }, secret);
    return climb(functions, { node, index, address }, path);
  });
  return functions.multiple({ ...address, type: FORS_ROOTS }, roots);
}

/** Returns whether the signature is valid. Returns false for an unknown parameter set and for wrong lengths. */
export function verifyEncodedSlhDsa(parameterSet: string, input: EncodedMaterial): boolean {
  const [, family, variant = ''] = /^SLH-DSA-(SHA2|SHAKE)-(\w+)$/.exec(parameterSet) ?? [];
  const parameters = PARAMETERS[variant];
  if (family === undefined || parameters === undefined) return false;
  const { n, h, d, a, k } = parameters;
  const { keyBytes, message, signature } = input;
  const height = h / d;
  const wotsLength = (2 * n + 3) * n;
  const forsLength = k * (a + 1) * n;
  const layerLength = wotsLength + height * n;
  if (keyBytes.length !== 2 * n || signature.length !== n + forsLength + d * layerLength) return false;

  const functions = (family === 'SHA2' ? sha2Functions : shakeFunctions)(parameters, keyBytes);
  const [forsBytes, treeBytes, leafBytes] = [(k * a) / 8, (h - height) / 8, height / 8].map(Math.ceil);
  if (forsBytes === undefined || treeBytes === undefined || leafBytes === undefined) return false;
  const digest = functions.message(signature.subarray(0, n), message, forsBytes + treeBytes + leafBytes);
  const number = (from: number, length: number, bits: number): bigint =>
    BigInt(`0x0${digest.subarray(from, from + length).toHex()}`) & ((1n << BigInt(bits)) - 1n);
  let tree = number(forsBytes, treeBytes, h - height);
  let leaf = Number(number(forsBytes + treeBytes, leafBytes, height));

  const forsSignature = signature.subarray(n, n + forsLength);
  let node = forsKey(functions, {
    signature: forsSignature,
    message: digest.subarray(0, forsBytes),
    tree,
    keyPair: leaf,
  });
  for (let layer = 0; layer < d; layer++) {
    const start = n + forsLength + layer * layerLength;
    const address = { layer, tree, type: WOTS_HASH, keyPair: leaf };
    const key = wotsKey(functions, { signature: signature.subarray(start, start + wotsLength), node, address });
    const path = nodesOf(signature.subarray(start + wotsLength, start + layerLength), n);
    node = climb(functions, { node: key, index: leaf, address: { layer, tree, type: TREE } }, path);
    leaf = Number(tree & ((1n << BigInt(height)) - 1n));
    tree >>= BigInt(height);
  }
  return equalBytes(node, keyBytes.subarray(n));
}
