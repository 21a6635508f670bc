// Treemap layout with tiles that are as square as possible (Bruls, Huizing and van Wijk: Squarified Treemaps, 2000).

export interface Tile<Item> {
  readonly item: Item;
  /** Fraction of the whole, from 0 to 1. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns tiles for the items with a weight above 0, which must be sorted by weight in descending order. `ratio` is the
 * ratio of the whole area's width to its height; the tiles are as close to square as possible at that ratio.
 */
export function treemap<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  ratio: number,
): readonly Tile<Item>[] {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0);
  const sized = items.map((item) => ({ item, area: (weightOf(item) / total) * ratio })).filter(({ area }) => area > 0);
  const tiles: Tile<Item>[] = [];
  let frame: Frame = { left: 0, top: 0, width: ratio, height: 1 };
  let rest = sized;
  while (rest.length > 0) {
    const count = rowLength(
      rest.map(({ area }) => area),
      Math.min(frame.width, frame.height),
    );
    const row = rest.slice(0, count);
    rest = rest.slice(count);
    const placed = layRow(row, frame);
    tiles.push(...placed.tiles);
    frame = placed.rest;
  }
  return tiles.map(({ left, width, ...tile }) => ({ ...tile, left: left / ratio, width: width / ratio }));
}

/**
 * Returns how many of the areas to place in a row along this side so that the most elongated tile is as close to square
 * as possible.
 */
function rowLength(areas: readonly number[], side: number): number {
  let count = 1;
  while (
    count < areas.length &&
    worstAspectRatio(areas.slice(0, count + 1), side) <= worstAspectRatio(areas.slice(0, count), side)
  )
    count += 1;
  return count;
}

function worstAspectRatio(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0);
  const square = (side / sum) ** 2;
  return Math.max(square * Math.max(...areas), 1 / (square * Math.min(...areas)));
}

function layRow<Item>(row: readonly { readonly item: Item; readonly area: number }[], frame: Frame) {
  const { left, top, width, height } = frame;
  const sum = row.reduce((total, { area }) => total + area, 0);
  const isUpright = width >= height;
  const depth = sum / (isUpright ? height : width);
  let along = 0;
  const tiles = row.map(({ item, area }): Tile<Item> => {
    const length = area / depth;
    const tile = isUpright
      ? { item, left, top: top + along, width: depth, height: length }
      : { item, left: left + along, top, width: length, height: depth };
    along += length;
    return tile;
  });
  const rest = isUpright
    ? { left: left + depth, top, width: width - depth, height }
    : { left, top: top + depth, width, height: height - depth };
  return { tiles, rest };
}
