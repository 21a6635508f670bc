// Derivations of the keys of MACs, and what they cost.
import type { PasswordMacFunctions } from '@signetry/pki';

type InputOf<Name extends 'repeatDigest' | 'pbkdf2'> = Parameters<PasswordMacFunctions[Name]>;

export type MacTask =
  | {
      readonly kind: 'repeatDigest';
      readonly digest: InputOf<'repeatDigest'>[0];
      readonly input: InputOf<'repeatDigest'>[1];
    }
  | { readonly kind: 'pbkdf2'; readonly digest: InputOf<'pbkdf2'>[0]; readonly input: InputOf<'pbkdf2'>[1] };

/** One or two milliseconds: no more than verifying a signature costs. Most clients ask for 500 to 1,024. */
const FREE_ITERATIONS = 2_048;
/** Some ten milliseconds; more is for the thread that has the patience. */
const USUAL_ITERATIONS = 10_000;
/** Of the shortest digest: each block of a key takes all iterations. */
const BLOCK_OCTETS = 20;

const iterationsOf = ({ kind, input }: MacTask): number =>
  kind === 'pbkdf2' ? input.iterations * Math.ceil(input.length / BLOCK_OCTETS) : input.iterations;

/** Not worth a thread. */
export const isCheap = (task: MacTask): boolean => iterationsOf(task) <= FREE_ITERATIONS;

export const isCostly = (task: MacTask): boolean => iterationsOf(task) > USUAL_ITERATIONS;
