// Tile paths (C2SP static-ct-api, c2sp.org/tlog-tiles).

export const TILE_WIDTH = 256;

export interface TileCoordinates {
  /** Level 0 contains leaf hashes. Each hash at the next level covers 256 hashes at the level below. */
  readonly level: number | 'data';
  readonly index: number;
  /** Less than 256 only for the last tile at a level. */
  readonly width: number;
}

export function tilePath({ level, index, width }: TileCoordinates): string {
  const groups = String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, '0')
    .match(/\d{3}/g);
  const place = (groups ?? []).map((group, at, all) => (at < all.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${place}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** Returns the number of complete subtrees at a level of a tree. */
export const completeSubtrees = (size: number, level: number): number => Math.floor(size / TILE_WIDTH ** level);

/** Returns the width of a tile in a tree of this size; 0 if the tile does not exist. */
export const widthIn = (size: number, { level, index }: { readonly level: number; readonly index: number }): number =>
  Math.max(0, Math.min(TILE_WIDTH, completeSubtrees(size, level) - index * TILE_WIDTH));
