// Search parameters for the overview.

export interface StartSearch {
  /** Whether statistics and the lists that they link to include archived certificates. */
  readonly includeArchived?: true;
}

export const readStartSearch = ({ includeArchived }: Record<string, unknown>): StartSearch =>
  includeArchived === true ? { includeArchived } : {};
