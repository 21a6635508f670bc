// CT logs on loopback for discovery tests.
import { createLoggedAuthority, startCtLog, type CtLog, type CtLogEntry } from '@signetry/testkit/ct-log';
import type { Values } from '@signetry/testkit/discovery';
import { LOG } from '../index.ts';

/** 127.0.0.9 stands for a blocked address. */
export const egress = {
  assertAddress: (_host: string, { address }: { readonly address: string }) => {
    if (address === '127.0.0.9') throw new Error('127.0.0.9 may not be reached.');
  },
};

export type TestLogs = Awaited<ReturnType<typeof testLogs>>;

/** Creates logs on loopback. Close them at the end. */
export async function testLogs() {
  const authority = await createLoggedAuthority();
  const filler: CtLogEntry = { certificate: authority.issue('www.elsewhere.test').certificate, chain: [authority.der] };
  const logs: CtLog[] = [];
  return {
    authority,
    /** Entry that matches no discovery. */
    filler,
    fillers: (count: number): CtLogEntry[] => Array.from({ length: count }, () => filler),
    logged: (...names: string[]): CtLogEntry => ({
      certificate: authority.issue(...names).certificate,
      chain: [authority.der],
    }),
    async logOf(...entries: readonly CtLogEntry[]): Promise<CtLog> {
      const log = await startCtLog(entries);
      logs.push(log);
      return log;
    },
    close: () => Promise.all(logs.map((log) => log.close())),
  };
}

export const valuesFor = (log: CtLog, values: Values = {}): Values => ({
  [LOG.url]: log.url,
  [LOG.key]: Buffer.from(log.spki).toString('base64'),
  [LOG.domains]: 'example.com',
  [LOG.start]: 'lastTime',
  [LOG.issuers]: false,
  [LOG.ratePerSecond]: 1_000,
  ...values,
});
