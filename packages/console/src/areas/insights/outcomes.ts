// Text for the renewal outcomes of expired certificates.
import type { RenewalOutcome } from '@signetry/contract';
import type { Tone } from '../../ui/state.tsx';

export const OUTCOMES: readonly RenewalOutcome[] = ['inTime', 'late', 'never'];

interface OutcomeText {
  readonly tone: Tone;
  readonly word: string;
  /** Short form for use where it is clear that renewal is meant. */
  readonly short: string;
  /** Form for use after a number of certificates in a sentence. */
  readonly words: string;
}

export const outcomeTexts: Readonly<Record<RenewalOutcome, OutcomeText>> = {
  inTime: { tone: 'good', word: 'Renewed in time', short: 'In time', words: 'renewed in time' },
  late: { tone: 'warn', word: 'Renewed late', short: 'Late', words: 'renewed late' },
  never: { tone: 'bad', word: 'Never renewed', short: 'Never', words: 'never renewed' },
};
