// How values of a custom attribute are entered. The API has three flags for this, and permits only these combinations.
// Pure.
import type { AttributeContentType } from '@signetry/contract';

export type EntryKind = 'one' | 'choice' | 'several' | 'fixed';

interface Flags {
  readonly list: boolean;
  readonly multiSelect: boolean;
  readonly readOnly: boolean;
}

/** Flags as they appear in a response, in which a missing flag is not set. */
type ResponseFlags = { readonly [Flag in keyof Flags]?: boolean | undefined };

const flags: Readonly<Record<EntryKind, Flags>> = {
  one: { list: false, multiSelect: false, readOnly: false },
  choice: { list: true, multiSelect: false, readOnly: false },
  several: { list: true, multiSelect: true, readOnly: false },
  fixed: { list: false, multiSelect: false, readOnly: true },
};

export const flagsOf = (kind: EntryKind): Flags => flags[kind];

export function kindOfEntry({ list, multiSelect, readOnly }: ResponseFlags): EntryKind {
  if (readOnly) return 'fixed';
  if (!list) return 'one';
  return multiSelect ? 'several' : 'choice';
}

const words: Readonly<Record<EntryKind, string>> = {
  one: 'One value',
  choice: 'One choice from a list',
  several: 'Multiple values from a list',
  fixed: 'Fixed value for all objects',
};

export const describeKind = (kind: EntryKind): string => words[kind];

/**
 * Secrets are not displayed, so they cannot be choices, and a value shared by all objects would not be a secret. The
 * choices for a credential attribute are the credentials that the user can see.
 */
export const hasNoContent = (contentType: AttributeContentType): boolean =>
  contentType === 'secret' || contentType === 'credential';

export const kindsFor = (contentType: AttributeContentType): readonly EntryKind[] =>
  hasNoContent(contentType) ? ['one', 'several'] : ['one', 'choice', 'several', 'fixed'];
