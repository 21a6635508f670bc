// CMP ir and certConf protected with a shared secret. Each response is read and its protection verified (RFC 9810
// §5.3.1, §5.3.18).
import {
  confirmationOf,
  exchange,
  makeMessage,
  newTransaction,
  requestFor,
  type CmpTransaction,
} from '../e2e/testing/cmp-client.ts';
import { benchEnrollment, stock, type EnrollmentSetting } from './enrollment-load.ts';
import type { BenchmarkReport } from './report.ts';
import { profileFor } from './token-keys.ts';

/** Default protection of openssl cmp: 500 iterations of SHA-256. */
const MAC = { secret: 'secret-of-the-bench', reference: 'device', iterations: 500 };

export const benchCmp = (options: ReadonlyMap<string, string>): Promise<BenchmarkReport> =>
  benchEnrollment(options, {
    name: 'CMP ir and certConf, P-256',
    goal: '>= 300',
    note: 'Plain HTTP, PasswordBasedMac with SHA-256 and 500 iterations on all four messages.',
    prepare: (setting) => prepare(setting, Number(options.get('requests') ?? 8_000)),
  });

interface Prepared {
  readonly transaction: CmpTransaction;
  readonly message: Uint8Array;
}

async function prepare({ client, server }: EnrollmentSetting, count: number) {
  const { raProfileUuid } = await profileFor(server, { keyAlgorithm: 'P-256', tokens: undefined });
  const protection = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
  const body = { name: 'bench', variant: 'v2', raProfileUuid, sharedSecret: MAC.secret, ...protection } as const;
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  const url = `${server.ready.http}/api/v1/protocols/cmp/bench`;
  const prepared: Prepared[] = [];
  for (let number = 0; number < count; number += 1) {
    const transaction = newTransaction();
    const request = await requestFor(`CN=device-${number}.bench.example`);
    prepared.push({ transaction, message: await makeMessage(transaction, request, MAC) });
  }
  const preparedNumber = stock(prepared);
  return {
    enroll: async (number: number) => {
      const { message } = preparedNumber(number);
      const { certificate, transaction } = await exchange(url, message);
      if (!certificate) return false;
      const answer = await exchange(url, await makeMessage(transaction, confirmationOf(certificate), MAC));
      return answer.body.type === 'pkiconf';
    },
  };
}
