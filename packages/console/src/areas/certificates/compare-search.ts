// Search parameters of the comparison: UUIDs of two certificates.

export interface CompareSearch {
  readonly one?: string;
  readonly other?: string;
  readonly onlyDifferences?: true;
}

/** URLs are untrusted; unreadable parameters are dropped. */
export const readCompareSearch = ({ one, other, onlyDifferences }: Record<string, unknown>): CompareSearch => ({
  ...(typeof one === 'string' ? { one } : {}),
  ...(typeof other === 'string' ? { other } : {}),
  ...(onlyDifferences === true ? { onlyDifferences } : {}),
});
