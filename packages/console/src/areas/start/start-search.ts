// The search parameters of the overview.

export interface StartSearch {
  /** Figures and the lists that they lead to are with those in the archive. */
  readonly includeArchived?: true;
}

export const readStartSearch = ({ includeArchived }: Record<string, unknown>): StartSearch =>
  includeArchived === true ? { includeArchived } : {};
