// A bound on what is asked of one host at a time; what comes beyond it waits for its turn.
export interface HostLanes {
  run<Answer>(host: string, ask: () => Promise<Answer>): Promise<Answer>;
}

export function createLanes(slots: number): HostLanes {
  const lanes = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(host, ask) {
      const lane = lanes.get(host) ?? { running: 0, waiting: [] };
      lanes.set(host, lane);
      if (lane.running === slots) await new Promise<void>((resolve) => lane.waiting.push(resolve));
      else lane.running += 1;
      try {
        return await ask();
      } finally {
        // The slot goes to whoever waits, or is free.
        const next = lane.waiting.shift();
        if (next) next();
        else lane.running -= 1;
        if (lane.running === 0) lanes.delete(host);
      }
    },
  };
}
