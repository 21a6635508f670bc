// Addresses of tiles (C2SP static-ct-api, c2sp.org/tlog-tiles).

export const TILE_WIDTH = 256;

export interface TileAddress {
  /** 0 has hashes of leaves; a hash of each next level covers 256 of the one below. */
  readonly level: number | 'data';
  readonly index: number;
  /** Fewer than 256 in the last tile of a level. */
  readonly width: number;
}

export function tilePath({ level, index, width }: TileAddress): string {
  const groups = String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, '0')
    .match(/\d{3}/g);
  const place = (groups ?? []).map((group, at, all) => (at < all.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${place}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** How many subtrees of a level a tree has that are whole. */
export const wholeSubtrees = (size: number, level: number): number => Math.floor(size / TILE_WIDTH ** level);

/** Width of a tile in a tree of a size; 0 where there is none. */
export const widthIn = (size: number, { level, index }: { readonly level: number; readonly index: number }): number =>
  Math.max(0, Math.min(TILE_WIDTH, wholeSubtrees(size, level) - index * TILE_WIDTH));
