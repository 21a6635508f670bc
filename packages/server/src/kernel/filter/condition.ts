// A validated filter. The API's twenty operators map to seven kinds, so that the compiler and the in-memory evaluator
// each handle seven cases and can be tested against each other.
import type { FilterField, Scalar } from './field.ts';

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '<>';

export type FilterCondition<Field extends FilterField = FilterField> =
  /** Equal to one of the values; negated: absent, or equal to none. */
  | {
      readonly kind: 'equals';
      readonly field: Field;
      readonly negated: boolean;
      readonly values: readonly [Scalar, ...Scalar[]];
    }
  /** Absent; a collection is empty if it has no members. */
  | { readonly kind: 'empty'; readonly field: Field; readonly negated: boolean }
  /** Contains one of the texts at this place; negated: absent, or contains none. */
  | {
      readonly kind: 'text';
      readonly field: Field;
      readonly place: 'anywhere' | 'start' | 'end';
      readonly negated: boolean;
      readonly texts: readonly [string, ...string[]];
    }
  /** Compares with a value; absent values never match. */
  | { readonly kind: 'compare'; readonly field: Field; readonly comparison: Comparison; readonly value: Scalar }
  /** Lies between two instants, inclusive. */
  | { readonly kind: 'within'; readonly field: Field; readonly from: Scalar; readonly to: Scalar }
  /** Matches a regular expression; negated: present and not matching; for a collection: no member matches. */
  | { readonly kind: 'matches'; readonly field: Field; readonly negated: boolean; readonly pattern: string }
  /** Compares the number of members in a collection. */
  | { readonly kind: 'count'; readonly field: Field; readonly comparison: Comparison; readonly count: number };
