// A set of record IDs that uses one bit per ID: tens of millions of records fit in a few megabytes.

const IDS_PER_PAGE = 65_536;

export interface IdSet {
  add(id: number): void;
  has(id: number): boolean;
}

export function createIdSet(): IdSet {
  const pages = new Map<number, Uint8Array>();
  return {
    add(id) {
      const number = Math.floor(id / IDS_PER_PAGE);
      let page = pages.get(number);
      if (!page) {
        page = new Uint8Array(IDS_PER_PAGE / 8);
        pages.set(number, page);
      }
      const bit = id % IDS_PER_PAGE;
      page[bit >> 3] = (page[bit >> 3] ?? 0) | (1 << (bit & 7));
    },
    has(id) {
      const page = pages.get(Math.floor(id / IDS_PER_PAGE));
      const bit = id % IDS_PER_PAGE;
      return page !== undefined && ((page[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    },
  };
}
