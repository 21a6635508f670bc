// How values of a custom attribute are given. The interface has three flags for it, of which only these combinations
// are allowed. Pure.
import type { AttributeContentType } from '@signetry/contract';

export type EntryKind = 'one' | 'choice' | 'several' | 'fixed';

interface Flags {
  readonly list: boolean;
  readonly multiSelect: boolean;
  readonly readOnly: boolean;
}

/** As an answer may have them: a flag that is left out is not set. */
type GivenFlags = { readonly [Flag in keyof Flags]?: boolean | undefined };

const flags: Readonly<Record<EntryKind, Flags>> = {
  one: { list: false, multiSelect: false, readOnly: false },
  choice: { list: true, multiSelect: false, readOnly: false },
  several: { list: true, multiSelect: true, readOnly: false },
  fixed: { list: false, multiSelect: false, readOnly: true },
};

export const flagsOf = (kind: EntryKind): Flags => flags[kind];

export function kindOfEntry({ list, multiSelect, readOnly }: GivenFlags): EntryKind {
  if (readOnly) return 'fixed';
  if (!list) return 'one';
  return multiSelect ? 'several' : 'choice';
}

const words: Readonly<Record<EntryKind, string>> = {
  one: 'One value',
  choice: 'One choice of a list',
  several: 'Several values of a list',
  fixed: 'The same value everywhere, which nobody changes',
};

export const wordsOfKind = (kind: EntryKind): string => words[kind];

/**
 * A secret is not shown, so nobody can choose among secrets, and one that everybody sets is none. The choices of a
 * credential are the credentials that somebody sees.
 */
export const hasNoContent = (contentType: AttributeContentType): boolean =>
  contentType === 'secret' || contentType === 'credential';

export const kindsFor = (contentType: AttributeContentType): readonly EntryKind[] =>
  hasNoContent(contentType) ? ['one', 'several'] : ['one', 'choice', 'several', 'fixed'];
