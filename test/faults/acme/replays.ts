// Replays signed requests: to every node simultaneously, and again later.
import {
  createWire,
  pathOf,
  post,
  type AcmeResponse,
  type FaultClient,
  type Origin,
  type Wire,
} from './fault-client.ts';
import { record, type NonceLedger, type NonceUse } from './nonce-ledger.ts';

export interface RaceOptions {
  readonly ledger: NonceLedger;
  /** Clients with an account each; there are as many concurrent requests as clients. */
  readonly clients: readonly FaultClient[];
  readonly origins: readonly Origin[];
  /** Number of nonces to use. */
  readonly uses: number;
  /** Number of earlier requests that are replayed for each nonce. */
  readonly replays: number;
  readonly random?: () => number;
}

/** Sends the requests and returns the number of replays. */
export async function raceNonces(options: RaceOptions): Promise<number> {
  const { ledger, clients, origins, uses, replays, random = Math.random } = options;
  const done: NonceUse[] = [];
  let left = uses;
  let repeated = 0;

  async function worker(client: FaultClient): Promise<void> {
    const requests = requestsOf(client);
    while (left > 0) {
      left -= 1;
      const use = await requests.next();
      const answers = await Promise.all(origins.map((origin) => send(client.wire, { use, origin, ledger })));
      requests.learn(answers);
      repeated += origins.length - 1;
      done.push(use);
      for (let again = 0; again < replays; again += 1) {
        const earlier = done[Math.floor(random() * done.length)] ?? use;
        await send(client.wire, { use: earlier, origin: oneOf(origins, random), ledger });
        repeated += 1;
      }
    }
  }

  await Promise.all(clients.map(worker));
  return repeated;
}

/** Makes every name unique: a second order for a name with an open order would return that order. */
let named = 0;

/** Cycles through all kinds of requests, both writes and reads. */
function requestsOf(client: FaultClient) {
  let placed: { readonly order: string; readonly authorization: string } | undefined;
  let number = 0;
  const kinds = [
    () => client.prepare(client.newOrderPath, { identifiers: [{ type: 'dns', value: `n${++named}.faults.test` }] }),
    (order: string) => client.prepare(order),
    (_order: string, authorization: string) => client.prepare(authorization),
    () => client.prepare(pathOf(client.accountUrl ?? '')),
  ] as const;
  return {
    next(): Promise<NonceUse> {
      const kind = kinds[placed ? number % kinds.length : 0]!;
      number += 1;
      return kind(placed?.order ?? '', placed?.authorization ?? '');
    },
    learn(answers: readonly (AcmeResponse | undefined)[]): void {
      const made = answers.find((answer) => answer?.status === 201);
      if (made?.location === undefined) return;
      const { authorizations } = JSON.parse(made.text) as { authorizations: readonly string[] }; // Order object.
      placed = { order: pathOf(made.location), authorization: pathOf(authorizations[0] ?? '') };
    },
  };
}

/** Replays all requests to every node. */
export async function replayAll(
  uses: readonly NonceUse[],
  { ledger, origins, parallel }: Pick<RaceOptions, 'ledger' | 'origins'> & { readonly parallel: number },
): Promise<number> {
  const queue = uses.values();
  let repeated = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      const wire = createWire();
      for (const use of queue) {
        for (const origin of origins) await send(wire, { use, origin, ledger });
        repeated += origins.length;
      }
      wire.close();
    }),
  );
  return repeated;
}

async function send(
  wire: Wire,
  { use, origin, ledger }: { readonly use: NonceUse; readonly origin: Origin; readonly ledger: NonceLedger },
): Promise<AcmeResponse | undefined> {
  const { answer, fate } = await post(wire, { origin: origin(), request: use, ledger });
  record(use, fate);
  return answer;
}

const oneOf = <Item>(items: readonly Item[], random: () => number): Item => items[Math.floor(random() * items.length)]!;
