// Untrusted regular expressions, matched in time linear in the length of the text: all possible states are followed in
// parallel instead of one after the other, so no pattern causes catastrophic backtracking (Thompson's construction).
// Look-aheads are matched from each position where they are evaluated; the step budget limits this.
import { isWordCharacter, type CharacterTest } from './characters.ts';
import { parsePattern, type Assertion, type PatternNode } from './parse-pattern.ts';
import { PatternError } from './pattern-error.ts';

export { PatternError };

/**
 * Number of steps that multiple matches can use in total. The budget limits work, not time, so a busy machine never
 * causes a rejection.
 */
export interface StepBudget {
  steps: number;
}

export interface LinearPattern {
  readonly source: string;
  /**
   * Returns whether the pattern matches the whole text. Each step uses part of the budget. Throws `PatternError` if the
   * text is too long or the budget is exhausted.
   */
  matches(text: string, budget?: StepBudget): boolean;
}

const MAX_STATES = 2048;
export const MAX_TEXT_CHARACTERS = 8192;
/** Default budget for a match, and the shared budget for all patterns in a request: about 30 ms. */
export const MAX_STEPS = 2_000_000;

type Instruction =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly program: Program }
  | { readonly kind: 'fork'; first: number; second: number }
  | { readonly kind: 'jump'; target: number }
  | { readonly kind: 'accept' };

type Program = readonly Instruction[];

/** Compiles a pattern once; throws `PatternError` if it is malformed, too large or not in the common subset. */
export function linearPattern(source: string, options: { readonly ignoreCase?: boolean } = {}): LinearPattern {
  const program = compile(parsePattern(source, options), { states: 0 });
  return { source, matches: (text, budget = { steps: MAX_STEPS }) => new Matcher(text, budget).isWhole(program) };
}

/** `size` counts the states of the whole pattern, including look-around. */
function compile(root: PatternNode, size: { states: number }): Program {
  const program: Instruction[] = [];

  function push<Kind extends Instruction>(instruction: Kind): Kind {
    size.states += 1;
    if (size.states > MAX_STATES)
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
      case 'look':
        push({ kind: 'look', ahead: node.ahead, negated: node.negated, program: compile(node.part, size) });
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

interface Search {
  readonly from: number;
  /** Whether a match can also begin at any later position. */
  readonly anywhere?: boolean;
  /** Called where a match ends; the search stops if it returns true. */
  readonly onEnd: (place: number) => boolean;
}

/** Matches one text. Positions are between characters: 0 is before the first. */
class Matcher {
  readonly #characters: readonly number[];
  readonly #budget: StepBudget;
  /** Results of look-around, by position. */
  readonly #looks = new Map<Instruction, Map<number, boolean>>();

  constructor(text: string, budget: StepBudget) {
    if (text.length > MAX_TEXT_CHARACTERS)
      throw new PatternError(`The text is longer than ${MAX_TEXT_CHARACTERS} characters and cannot be matched.`);
    this.#characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    this.#budget = budget;
  }

  isWhole(program: Program): boolean {
    let isMatched = false;
    const onEnd = (place: number): boolean => (isMatched = place === this.#characters.length);
    this.#search(program, { from: 0, onEnd });
    return isMatched;
  }

  #search(program: Program, { from, anywhere = false, onEnd }: Search): void {
    // Position at which each state was last added: cheaper than clearing a set for each character.
    const seen = new Int32Array(program.length).fill(-1);
    let current: number[] = [];
    for (let place = from; ; place += 1) {
      if (place === from || anywhere) this.#added([0], current, { program, seen, place });
      if (current.includes(ACCEPTED) && onEnd(place)) return;
      const codePoint = this.#characters[place];
      if (codePoint === undefined || (current.length === 0 && !anywhere)) return;
      current = this.#after(codePoint, current, { program, seen, place: place + 1 });
    }
  }

  #after(codePoint: number, states: readonly number[], step: Step): number[] {
    this.#spend(states.length);
    const following = states.filter((state) => {
      const instruction = step.program[state];
      return instruction?.kind === 'character' && instruction.test(codePoint);
    });
    return this.#added(
      following.map((state) => state + 1),
      [],
      step,
    );
  }

  /**
   * Returns the states plus those reachable from them without consuming a character; includes `ACCEPTED` if a match
   * ends here.
   */
  #added(from: readonly number[], into: number[], { program, seen, place }: Step): number[] {
    const stack = [...from].reverse();
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      this.#spend(1);
      if (seen[index] === place) continue;
      seen[index] = place;
      const instruction = program[index];
      if (!instruction) continue;
      if (instruction.kind === 'character') into.push(index);
      else if (instruction.kind === 'jump') stack.push(instruction.target);
      else if (instruction.kind === 'fork') stack.push(instruction.second, instruction.first);
      else if (instruction.kind === 'accept') into.push(ACCEPTED);
      else if (this.#holds(instruction, place)) stack.push(index + 1);
    }
    return into;
  }

  #holds(instruction: Extract<Instruction, { kind: 'assertion' | 'look' }>, place: number): boolean {
    const [before, after] = [this.#characters[place - 1], this.#characters[place]];
    if (instruction.kind === 'look') return this.#isSeen(instruction, place) !== instruction.negated;
    if (instruction.assertion === 'start') return before === undefined;
    if (instruction.assertion === 'end') return after === undefined;
    const boundary = isWord(before) !== isWord(after);
    return instruction.assertion === 'word-boundary' ? boundary : !boundary;
  }

  #isSeen(look: Extract<Instruction, { kind: 'look' }>, place: number): boolean {
    const known = this.#looks.get(look) ?? new Map<number, boolean>();
    this.#looks.set(look, known);
    // For look-behind, one search finds every position at which a match ends.
    if (!look.ahead && known.size === 0) {
      for (let each = 0; each <= this.#characters.length; each += 1) known.set(each, false);
      this.#search(look.program, { from: 0, anywhere: true, onEnd: (end) => (known.set(end, true), false) });
    }
    const found = known.get(place);
    if (found !== undefined) return found;
    let isMatched = false;
    this.#search(look.program, { from: place, onEnd: () => (isMatched = true) });
    known.set(place, isMatched);
    return isMatched;
  }

  #spend(steps: number): void {
    this.#budget.steps -= steps;
    if (this.#budget.steps < 0) throw new PatternError('The pattern is too complex for this text.');
  }
}

interface Step {
  readonly program: Program;
  readonly seen: Int32Array;
  readonly place: number;
}

/** Represents the end of a match among the states. */
const ACCEPTED = -1;

const isWord = (codePoint: number | undefined): boolean => codePoint !== undefined && isWordCharacter(codePoint);
