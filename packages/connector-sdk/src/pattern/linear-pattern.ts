// Untrusted regular expressions, matched in time linear in the text: all possible states are followed at once instead
// of one after the other, so no pattern causes catastrophic backtracking (Thompson's construction).
import { isWordCharacter, type CharacterTest } from './characters.ts';
import { parsePattern, type Assertion, type PatternNode } from './parse-pattern.ts';
import { PatternError } from './pattern-error.ts';

export { PatternError };

/** How many steps matches may take together: it counts work, not time, so that a busy machine refuses nothing. */
export interface StepBudget {
  steps: number;
}

export interface LinearPattern {
  readonly source: string;
  /**
   * Whether the whole text is in the language of the pattern. Throws `PatternError` for a text beyond the bound, and
   * when the budget, which is used up by the steps that are taken, does not suffice.
   */
  matches(text: string, budget?: StepBudget): boolean;
}

const MAX_STATES = 2048;
export const MAX_TEXT_CHARACTERS = 8192;
/** Of one match that has no budget, and of all patterns of a request together: some 30 ms. */
export const MAX_STEPS = 2_000_000;

type Instruction =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'fork'; first: number; second: number }
  | { readonly kind: 'jump'; target: number }
  | { readonly kind: 'accept' };

/** Compiles a pattern once; throws `PatternError` when it is malformed, too large or not of the common subset. */
export function linearPattern(source: string, options: { readonly ignoreCase?: boolean } = {}): LinearPattern {
  const program = compile(parsePattern(source, options));
  return { source, matches: (text, budget = { steps: MAX_STEPS }) => run(program, text, budget) };
}

function compile(root: PatternNode): readonly Instruction[] {
  const program: Instruction[] = [];

  function push<Kind extends Instruction>(instruction: Kind): Kind {
    if (program.length >= MAX_STATES)
      throw new PatternError(`The pattern is too large: it needs more than ${MAX_STATES} states.`);
    program.push(instruction);
    return instruction;
  }

  function emit(node: PatternNode): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'character':
      case 'assertion':
        push(node);
        return;
      case 'sequence':
        for (const part of node.parts) emit(part);
        return;
      case 'choice':
        emitChoice(node.options);
        return;
      case 'repeat':
        emitRepeat(node);
    }
  }

  function emitChoice(options: readonly PatternNode[]): void {
    const ends: { target: number }[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        emit(option);
        break;
      }
      const fork = push({ kind: 'fork', first: program.length + 1, second: -1 });
      emit(option);
      ends.push(push({ kind: 'jump', target: -1 }));
      fork.second = program.length;
    }
    for (const end of ends) end.target = program.length;
  }

  function emitRepeat({ part, min, max }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let count = 0; count < min; count += 1) emit(part);
    if (max === Infinity) {
      const start = program.length;
      const fork = push({ kind: 'fork', first: start + 1, second: -1 });
      emit(part);
      push({ kind: 'jump', target: start });
      fork.second = program.length;
      return;
    }
    const forks: { second: number }[] = [];
    for (let count = min; count < max; count += 1) {
      forks.push(push({ kind: 'fork', first: program.length + 1, second: -1 }));
      emit(part);
    }
    for (const fork of forks) fork.second = program.length;
  }

  emit(root);
  push({ kind: 'accept' });
  return program;
}

/** Input of an assertion: the characters on both sides of a position. */
interface Position {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

function run(program: readonly Instruction[], text: string, budget: StepBudget): boolean {
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw new PatternError(`The text is longer than ${MAX_TEXT_CHARACTERS} characters and is not matched.`);
  }
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  // The generation in which a state was added last: cheaper than clearing a set for each character.
  const seen = new Int32Array(program.length).fill(-1);
  const stack: number[] = [];
  let current: number[] = [];

  function addState(state: number, into: number[], generation: number, position: Position): boolean {
    let accepted = false;
    stack.push(state);
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      budget.steps -= 1;
      if (seen[index] === generation) continue;
      seen[index] = generation;
      const instruction = program[index];
      if (!instruction) continue;
      if (instruction.kind === 'character') into.push(index);
      else if (instruction.kind === 'jump') stack.push(instruction.target);
      else if (instruction.kind === 'fork') stack.push(instruction.second, instruction.first);
      else if (instruction.kind === 'accept') accepted = true;
      else if (holds(instruction.assertion, position)) stack.push(index + 1);
    }
    return accepted;
  }

  let accepted = addState(0, current, 0, { before: undefined, after: characters[0] });
  for (const [index, codePoint] of characters.entries()) {
    if (current.length === 0) return false;
    const following: number[] = [];
    const position = { before: codePoint, after: characters[index + 1] };
    accepted = false;
    budget.steps -= current.length;
    if (budget.steps < 0) throw new PatternError('The pattern is too costly for this text.');
    for (const state of current) {
      const instruction = program[state];
      if (instruction?.kind !== 'character' || !instruction.test(codePoint)) continue;
      if (addState(state + 1, following, index + 1, position)) accepted = true;
    }
    current = following;
  }
  return accepted;
}

function holds(assertion: Assertion, { before, after }: Position): boolean {
  if (assertion === 'start') return before === undefined;
  if (assertion === 'end') return after === undefined;
  const boundary = isWord(before) !== isWord(after);
  return assertion === 'word-boundary' ? boundary : !boundary;
}

const isWord = (codePoint: number | undefined): boolean => codePoint !== undefined && isWordCharacter(codePoint);
