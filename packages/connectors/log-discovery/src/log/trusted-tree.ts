// The tree of a log, as far as it follows from its signed root: tiles are believed only when their hashes lead there.
import { falseLog } from './log-error.ts';
import { tilePath, TILE_WIDTH, wholeSubtrees, widthIn, type TileAddress } from './tiles.ts';
import { HASH_OCTETS, hashesOf, joinRoots, rootOver, sameHash } from './tree-hash.ts';

export interface TreeHead {
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly root: string;
}

/** Fetches a tile by its address; a narrower one than there is by now may come as the wider one. */
export type FetchTile = (tile: TileAddress) => Promise<Uint8Array>;

/** A tile of hashes of level 1 covers 65,536 entries: reading goes on from one to the next. */
const MAX_KEPT_TILES = 256;

export class TrustedTree {
  private readonly head: TreeHead;
  private readonly fetch: FetchTile;
  /** The last tiles of the levels, which the root follows from. */
  private edge: Promise<ReadonlyMap<number, readonly Uint8Array[]>> | undefined;
  private readonly kept = new Map<string, Promise<readonly Uint8Array[]>>();

  constructor(head: TreeHead, fetch: FetchTile) {
    this.head = head;
    this.fetch = fetch;
  }

  /** Throws unless these are the hashes of the leaves of a tile of level 0. */
  async assertLeaves(index: number, leaves: readonly Uint8Array[]): Promise<void> {
    const isWhole = leaves.length === TILE_WIDTH;
    const believed = isWhole ? await this.hashAt(1, index) : rootOver(await this.edgeAt(0));
    if (!sameHash(rootOver(leaves), believed))
      throw falseLog(
        `The log is not true to itself: the entries from ${index * TILE_WIDTH} on are not those that its tree head is signed over.`,
      );
  }

  /** Throws unless this tree has grown out of another one. */
  async assertGrownFrom(past: TreeHead): Promise<void> {
    if (past.size > this.head.size)
      throw falseLog(
        `The log has shrunk: it had ${past.size} entries at the last discovery, and has ${this.head.size} now. No log takes entries out: what answers is an old copy, or not to be trusted.`,
      );
    const roots: Uint8Array[] = [];
    for (let level = topLevel(past.size); level >= 0; level -= 1) {
      const count = wholeSubtrees(past.size, level);
      const index = Math.floor(count / TILE_WIDTH);
      const width = count % TILE_WIDTH;
      if (width > 0) roots.push(...perfectRoots((await this.tile(level, index)).slice(0, width)));
    }
    if (Buffer.from(joinRoots(roots)).toString('hex') !== past.root)
      throw falseLog(
        `The log shows another past than at the last discovery: its first ${past.size} entries are not the same ones any more.`,
      );
  }

  private async hashAt(level: number, index: number): Promise<Uint8Array> {
    const hash = (await this.tile(level, Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH];
    if (!hash) throw falseLog(`The log has no hash ${index} of level ${level}, although its size says so.`);
    return hash;
  }

  private async tile(level: number, index: number): Promise<readonly Uint8Array[]> {
    if (widthIn(this.head.size, { level, index }) < TILE_WIDTH) return this.edgeAt(level);
    const key = `${level}/${index}`;
    const known = this.kept.get(key) ?? this.wholeTile(level, index);
    // The one that was used last is forgotten last.
    this.kept.delete(key);
    this.kept.set(key, known);
    if (this.kept.size > MAX_KEPT_TILES) this.kept.delete(this.kept.keys().next().value ?? key);
    known.catch(() => this.kept.delete(key));
    return known;
  }

  private async wholeTile(level: number, index: number): Promise<readonly Uint8Array[]> {
    const [hashes, believed] = await Promise.all([
      this.read({ level, index, width: TILE_WIDTH }),
      this.hashAt(level + 1, index),
    ]);
    if (sameHash(rootOver(hashes), believed)) return hashes;
    throw falseLog(
      `The log is not true to itself: the hashes in ${tilePath({ level, index, width: TILE_WIDTH })} do not lead to its tree head.`,
    );
  }

  private async edgeAt(level: number): Promise<readonly Uint8Array[]> {
    this.edge ??= this.readEdge();
    return (await this.edge).get(level) ?? [];
  }

  private async readEdge(): Promise<ReadonlyMap<number, readonly Uint8Array[]>> {
    const { size, root } = this.head;
    const levels = Array.from({ length: topLevel(size) + 1 }, (_, level) => level);
    const tiles = await Promise.all(
      levels.map(async (level): Promise<[number, readonly Uint8Array[]]> => {
        const count = wholeSubtrees(size, level);
        const [index, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
        return [level, width === 0 ? [] : await this.read({ level, index, width })];
      }),
    );
    const roots = tiles.toReversed().flatMap(([, hashes]) => perfectRoots(hashes));
    if (Buffer.from(joinRoots(roots)).toString('hex') !== root)
      throw falseLog('The log is not true to itself: its last tiles do not lead to the root of its tree head.');
    return new Map(tiles);
  }

  private async read(tile: TileAddress): Promise<readonly Uint8Array[]> {
    const octets = await this.fetch(tile);
    if (octets.length % HASH_OCTETS !== 0 || octets.length < tile.width * HASH_OCTETS || octets.length > MAX_OCTETS)
      throw falseLog(`The log serves ${octets.length} octets as ${tilePath(tile)}, which is no tile of hashes.`);
    return hashesOf(octets.subarray(0, tile.width * HASH_OCTETS));
  }
}

const MAX_OCTETS = TILE_WIDTH * HASH_OCTETS;

/** The highest level on which a tree of a size has a hash. */
function topLevel(size: number): number {
  let level = 0;
  while (wholeSubtrees(size, level + 1) > 0) level += 1;
  return level;
}

/** Roots of the largest perfect trees that neighbours make, as the size of the whole tree has ones in binary. */
function perfectRoots(hashes: readonly Uint8Array[]): Uint8Array[] {
  const roots: Uint8Array[] = [];
  let at = 0;
  for (let bit = TILE_WIDTH / 2; bit >= 1; bit /= 2) {
    if ((hashes.length & bit) === 0) continue;
    roots.push(rootOver(hashes.slice(at, at + bit)));
    at += bit;
  }
  return roots;
}
