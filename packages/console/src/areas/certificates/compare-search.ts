// The search parameters of the comparison: identifiers of two certificates.

export interface CompareSearch {
  readonly one?: string;
  readonly other?: string;
  readonly onlyDifferences?: true;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export const readCompareSearch = ({ one, other, onlyDifferences }: Record<string, unknown>): CompareSearch => ({
  ...(typeof one === 'string' ? { one } : {}),
  ...(typeof other === 'string' ? { other } : {}),
  ...(onlyDifferences === true ? { onlyDifferences } : {}),
});
