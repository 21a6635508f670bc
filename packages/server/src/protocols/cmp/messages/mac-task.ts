// MAC key derivations, and their cost.
import type { PasswordMacFunctions } from '@signetry/pki';

type InputOf<Name extends 'repeatDigest' | 'pbkdf2'> = Parameters<PasswordMacFunctions[Name]>;

export type MacTask =
  | {
      readonly kind: 'repeatDigest';
      readonly digest: InputOf<'repeatDigest'>[0];
      readonly input: InputOf<'repeatDigest'>[1];
    }
  | { readonly kind: 'pbkdf2'; readonly digest: InputOf<'pbkdf2'>[0]; readonly input: InputOf<'pbkdf2'>[1] };

/** One or two milliseconds, no more than verifying a signature. Most clients specify 500 to 1,024. */
const FREE_ITERATIONS = 2_048;
/** About ten milliseconds; longer derivations run in the low-priority thread. */
const USUAL_ITERATIONS = 10_000;
/** Size of the shortest digest: each block of a key requires all iterations. */
const BLOCK_OCTETS = 20;

const iterationsOf = ({ kind, input }: MacTask): number =>
  kind === 'pbkdf2' ? input.iterations * Math.ceil(input.length / BLOCK_OCTETS) : input.iterations;

/** Returns whether a task is too cheap for a thread. */
export const isCheap = (task: MacTask): boolean => iterationsOf(task) <= FREE_ITERATIONS;

export const isCostly = (task: MacTask): boolean => iterationsOf(task) > USUAL_ITERATIONS;
