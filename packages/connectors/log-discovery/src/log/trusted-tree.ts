// A log's Merkle tree, verified against its signed root: a tile is trusted only if its hashes lead to that root.
import { falseLogError } from './log-error.ts';
import { tilePath, TILE_WIDTH, completeSubtrees, widthIn, type TileCoordinates } from './tiles.ts';
import { HASH_OCTETS, hashesOf, joinRoots, rootOver, sameHash } from './tree-hash.ts';

export interface TreeHead {
  readonly size: number;
  /** Lowercase hexadecimal. */
  readonly root: string;
}

/** Fetches a tile by its address; if a partial tile has grown in the meantime, the wider tile may be returned. */
export type FetchTile = (tile: TileCoordinates) => Promise<Uint8Array>;

/** A tile of level 1 hashes covers 65,536 entries, and entries are read in order. */
const MAX_KEPT_TILES = 256;

export class TrustedTree {
  private readonly head: TreeHead;
  private readonly fetch: FetchTile;
  /** The last tile at each level, from which the root is computed. */
  private edge: Promise<ReadonlyMap<number, readonly Uint8Array[]>> | undefined;
  private readonly kept = new Map<string, Promise<readonly Uint8Array[]>>();

  constructor(head: TreeHead, fetch: FetchTile) {
    this.head = head;
    this.fetch = fetch;
  }

  /** Throws unless the hashes are the leaves of the level 0 tile with this index. */
  async assertLeaves(index: number, leaves: readonly Uint8Array[]): Promise<void> {
    const isWhole = leaves.length === TILE_WIDTH;
    const believed = isWhole ? await this.hashAt(1, index) : rootOver(await this.edgeAt(0));
    if (!sameHash(rootOver(leaves), believed))
      throw falseLogError(
        `The log is inconsistent: the entries from ${index * TILE_WIDTH} on do not match its signed tree head.`,
      );
  }

  /** Throws unless this tree extends the earlier one. */
  async assertGrownFrom(past: TreeHead): Promise<void> {
    if (past.size > this.head.size)
      throw falseLogError(
        `The log has shrunk: it had ${past.size} entries at the last discovery and now has ${this.head.size}. Logs never remove entries: the server is serving an outdated copy, or cannot be trusted.`,
      );
    const roots: Uint8Array[] = [];
    for (let level = topLevel(past.size); level >= 0; level -= 1) {
      const count = completeSubtrees(past.size, level);
      const index = Math.floor(count / TILE_WIDTH);
      const width = count % TILE_WIDTH;
      if (width > 0) roots.push(...perfectRoots((await this.tile(level, index)).slice(0, width)));
    }
    if (Buffer.from(joinRoots(roots)).toString('hex') !== past.root)
      throw falseLogError(
        `The log is inconsistent with the last discovery: its first ${past.size} entries have changed.`,
      );
  }

  private async hashAt(level: number, index: number): Promise<Uint8Array> {
    const hash = (await this.tile(level, Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH];
    if (!hash)
      throw falseLogError(`The log has no hash ${index} at level ${level}, although its tree size requires it.`);
    return hash;
  }

  private async tile(level: number, index: number): Promise<readonly Uint8Array[]> {
    if (widthIn(this.head.size, { level, index }) < TILE_WIDTH) return this.edgeAt(level);
    const key = `${level}/${index}`;
    const known = this.kept.get(key) ?? this.wholeTile(level, index);
    // Moves the tile to the end of the map, where the most recently used tile is.
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
    throw falseLogError(
      `The log is inconsistent: the hashes in ${tilePath({ level, index, width: TILE_WIDTH })} do not match its tree head.`,
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
        const count = completeSubtrees(size, level);
        const [index, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
        return [level, width === 0 ? [] : await this.read({ level, index, width })];
      }),
    );
    const roots = tiles.toReversed().flatMap(([, hashes]) => perfectRoots(hashes));
    if (Buffer.from(joinRoots(roots)).toString('hex') !== root)
      throw falseLogError('The log is inconsistent: its last tiles do not match the root of its tree head.');
    return new Map(tiles);
  }

  private async read(tile: TileCoordinates): Promise<readonly Uint8Array[]> {
    const octets = await this.fetch(tile);
    if (octets.length % HASH_OCTETS !== 0 || octets.length < tile.width * HASH_OCTETS || octets.length > MAX_OCTETS)
      throw falseLogError(
        `The log returned ${octets.length} bytes for ${tilePath(tile)}, which is not a tile of hashes.`,
      );
    return hashesOf(octets.subarray(0, tile.width * HASH_OCTETS));
  }
}

const MAX_OCTETS = TILE_WIDTH * HASH_OCTETS;

/** Returns the highest level that contains a hash in a tree of this size. */
function topLevel(size: number): number {
  let level = 0;
  while (completeSubtrees(size, level + 1) > 0) level += 1;
  return level;
}

/**
 * Returns the roots of the largest perfect subtrees over adjacent hashes: one for each 1 bit in the binary
 * representation of the tree size.
 */
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
