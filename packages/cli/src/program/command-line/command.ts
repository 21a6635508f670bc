// A command as data: name, arguments, flags and implementation. Parsing and help are derived from it.
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';

export interface Flag {
  /** Placeholder for the value in help texts. A flag without a placeholder is a switch. */
  readonly value?: string;
  readonly about: string;
  /** Default value. */
  readonly initial?: string;
  /** The flag can be specified more than once. */
  readonly many?: true;
  readonly required?: true;
  /** Allowed values, compared case-insensitively. */
  readonly choices?: readonly string[];
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Argument {
  readonly name: string;
  readonly about: string;
  /** The argument accepts one or more values. */
  readonly many?: true;
  /** Allowed values, compared case-insensitively. */
  readonly choices?: readonly string[];
  /** The argument can be omitted. Only the last argument can be optional. */
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
  /** Whether to print the API response as JSON instead of human-readable text. */
  readonly json: boolean;
}

export interface CommandFacts<F extends Flags> {
  /** Words that select the command, e.g. `certificates list`. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: F;
  /** The command accepts the platform's own flags, and `args` contains them unparsed. */
  readonly takesSettings?: true;
  /** Additional help paragraphs. */
  readonly details?: readonly string[];
  readonly examples?: readonly string[];
  run(input: Input<F>, context: Context): Promise<ExitCode>;
}

export type Command = CommandFacts<Flags>;

/**
 * Declares a command. Its flags also determine the input type of `run`, because the parser builds the input from them.
 */
export const command = <const F extends Flags>(facts: CommandFacts<F>): Command => facts as unknown as Command;
