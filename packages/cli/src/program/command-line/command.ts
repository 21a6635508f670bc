// A command as data: its words, arguments, flags and what it does. Parsing and help derive from it.
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';

export interface Flag {
  /** Name of the value in help; a flag without it is a switch. */
  readonly value?: string;
  readonly about: string;
  /** Used when the flag is not given. */
  readonly initial?: string;
  /** May be given more than once. */
  readonly many?: true;
  readonly required?: true;
  /** The allowed values, compared case-insensitively. */
  readonly choices?: readonly string[];
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Argument {
  readonly name: string;
  readonly about: string;
  /** One or more. */
  readonly many?: true;
  /** The allowed values, compared case-insensitively. */
  readonly choices?: readonly string[];
  /** May be omitted; only for the last one. */
  readonly optional?: true;
}

type FlagValue<F extends Flag> = F extends { readonly value: string }
  ? F extends { readonly many: true }
    ? readonly string[]
    : F extends { readonly initial: string } | { readonly required: true }
      ? string
      : string | undefined
  : boolean;

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

export interface Input<F extends Flags = Flags> {
  readonly args: readonly string[];
  readonly flags: FlagValues<F>;
  /** Print the response of the interface instead of text for people. */
  readonly json: boolean;
}

export interface CommandFacts<F extends Flags> {
  /** The words that select it, e.g. `certificates list`. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: F;
  /** The platform's own flags: `args` holds them as they were given. */
  readonly takesSettings?: true;
  /** Further paragraphs of help. */
  readonly details?: readonly string[];
  readonly examples?: readonly string[];
  run(input: Input<F>, context: Context): Promise<ExitCode>;
}

export type Command = CommandFacts<Flags>;

/** Declares a command; its flags type what `run` receives, because the parser builds that from the same flags. */
export const command = <const F extends Flags>(facts: CommandFacts<F>): Command => facts as unknown as Command;
