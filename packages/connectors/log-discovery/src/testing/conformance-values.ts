// Values for the conformance check that the definitions do not determine: a log on loopback, and permission to read it.
import type { ConnectorContext } from '@signetry/connector-sdk';
import { createLoggedAuthority, startCtLog, type CtLog } from '@signetry/testkit/ct-log';
import { KIND } from '../declaration.ts';
import { LOG } from '../index.ts';

export const conformanceContext: Partial<ConnectorContext> = { egress: { assertAddress: () => undefined } };

let log: CtLog | undefined;

export async function conformanceEnd(): Promise<void> {
  await log?.close();
}

export async function conformanceValues() {
  const authority = await createLoggedAuthority();
  const names = ['one.example', 'two.example', 'three.example'];
  log = await startCtLog(names.map((name) => ({ certificate: authority.issue(name).certificate })));
  return {
    [KIND]: {
      [LOG.url]: log.url,
      [LOG.key]: Buffer.from(log.spki).toString('base64'),
      [LOG.domains]: names.join(),
      [LOG.start]: 'beginning',
    },
  };
}
