// Converts signals into a single stop request. npm and the terminal both deliver Ctrl-C, so two signals in quick
// succession count as one; a later signal means that the user does not want to wait.
import { EXIT } from './exit-codes.ts';
import { Interruption } from './failures.ts';

/** A second SIGINT within this time belongs to the same Ctrl-C. */
export const SAME_STOP_MS = 1_000;

export interface StopSignalsOptions {
  readonly source: {
    on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  };
  readonly err: (text: string) => void;
  readonly exit: (code: number) => void;
  readonly now: () => number;
}

/** Returns a signal that the first SIGINT or SIGTERM aborts. */
export function listenForStop({ source, err, exit, now }: StopSignalsOptions): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const ask = (): void => {
    askedAt ??= now();
    controller.abort(new Interruption());
  };
  source.on('SIGTERM', ask);
  source.on('SIGINT', () => {
    if (askedAt !== undefined && now() - askedAt > SAME_STOP_MS) {
      err('signetry: terminated immediately; unfinished work resumes at the next start.');
      exit(EXIT.interrupted);
    } else ask();
  });
  return controller.signal;
}
