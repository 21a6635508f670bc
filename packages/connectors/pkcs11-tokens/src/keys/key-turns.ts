// Coordinates the use and destruction of a key. Uses run concurrently. Destruction is exclusive: it waits for earlier
// uses to complete, and no use starts afterward.

export interface KeyTurns {
  use<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  alone<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

interface Turns {
  readonly uses: Set<Promise<unknown>>;
  last: Promise<unknown> | undefined;
}

export function createKeyTurns(): KeyTurns {
  const byKey = new Map<string, Turns>();

  const turnsOf = (key: string): Turns => {
    const turns = byKey.get(key) ?? { uses: new Set(), last: undefined };
    byKey.set(key, turns);
    return turns;
  };
  const forgetIfIdle = (key: string, turns: Turns): void => {
    if (turns.uses.size === 0 && turns.last === undefined && byKey.get(key) === turns) byKey.delete(key);
  };

  return {
    async use(key, work) {
      let turns = turnsOf(key);
      // Rechecked each time; nothing is awaited between the check and taking the turn.
      while (turns.last) {
        await turns.last;
        turns = turnsOf(key);
      }
      const running = work();
      const ended = running.catch(() => undefined);
      turns.uses.add(ended);
      try {
        return await running;
      } finally {
        turns.uses.delete(ended);
        forgetIfIdle(key, turns);
      }
    },
    async alone(key, work) {
      let turns = turnsOf(key);
      // Rechecked each time; nothing is awaited between the check and taking the turn.
      while (turns.last) {
        await turns.last;
        turns = turnsOf(key);
      }
      const running = Promise.all(turns.uses).then(work);
      const ended = running.catch(() => undefined);
      turns.last = ended;
      try {
        return await running;
      } finally {
        turns.last = undefined;
        forgetIfIdle(key, turns);
      }
    },
  };
}
