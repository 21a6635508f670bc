// Calls every operation of a connector's declared function groups, and checks each response against the contract.
import type { FunctionGroupCode, InfoResponse } from '@signetry/contract';
import { checkAuthorityProvider } from './groups/authority.ts';
import { checkHealth, checkInfo } from './groups/common.ts';
import { checkComplianceProvider, checkComplianceProviderV2 } from './groups/compliance.ts';
import { checkCredentialProvider } from './groups/credential.ts';
import { checkCryptographyProvider } from './groups/cryptography.ts';
import { checkDiscoveryProvider } from './groups/discovery.ts';
import { checkEntityProvider } from './groups/entity.ts';
import { checkLegacyAuthorityProvider } from './groups/legacy-authority.ts';
import { checkNotificationProvider } from './groups/notification.ts';
import type { Transport } from './transport.ts';
import { reportOf, type CheckResult, type ConformanceReport } from './report/result.ts';
import { Scope } from './scope.ts';
import { expect, Session } from './session.ts';
import { secretsIn, type GivenValues } from './values/given-values.ts';

export interface CheckOptions {
  readonly transport: Transport;
  /** Groups to check. Default: all declared groups. */
  readonly groups?: readonly FunctionGroupCode[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** Values that cannot be generated. */
  readonly values?: GivenValues | undefined;
  /** Texts that are never shown, e.g. the caller's credentials. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called as soon as a result is available. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
}

const checks: Readonly<Record<FunctionGroupCode, (scope: Scope) => Promise<void>>> = {
  credentialProvider: checkCredentialProvider,
  legacyAuthorityProvider: checkLegacyAuthorityProvider,
  authorityProvider: checkAuthorityProvider,
  discoveryProvider: checkDiscoveryProvider,
  entityProvider: checkEntityProvider,
  complianceProvider: checkComplianceProvider,
  complianceProviderV2: checkComplianceProviderV2,
  cryptographyProvider: checkCryptographyProvider,
  notificationProvider: checkNotificationProvider,
};

/** Checks a connector. Objects created in it are removed afterwards, regardless of the outcome. */
export async function checkConnector(options: CheckOptions): Promise<ConformanceReport> {
  const { transport, values = {}, secrets = [], signal, onResult } = options;
  const session = new Session(transport, { signal, onResult });
  for (const secret of [...secrets, ...secretsIn(values)]) session.secrets.add(secret);
  const info = await checkInfo(session);
  await checkSelection(session, info, options);
  await checkHealth(session);
  try {
    for (const declared of info) await checkGroup(session, declared, options);
  } finally {
    await session.cleanUp();
  }
  return reportOf(session.results);
}

async function checkGroup(session: Session, declared: InfoResponse, options: CheckOptions): Promise<void> {
  const { functionGroupCode: group, kinds } = declared;
  const { groups = [group], kinds: wanted = kinds, values = {} } = options;
  if (!groups.includes(group)) return;
  for (const kind of kinds.filter((each) => wanted.includes(each))) {
    await checks[group](new Scope(session, { group, kind, declared, given: values[kind] ?? {} }));
    await session.cleanUp();
  }
}

/** Fails if a group or kind that was explicitly selected is missing. */
async function checkSelection(
  session: Session,
  info: readonly InfoResponse[],
  { groups = [], kinds = [] }: CheckOptions,
): Promise<void> {
  for (const group of groups)
    await session.check({ group }, 'offers the function group', async () =>
      expect(
        info.some(({ functionGroupCode }) => functionGroupCode === group),
        'The connector does not declare the function group.',
        group,
      ),
    );
  for (const kind of kinds)
    await session.check({ kind }, 'offers the kind', async () =>
      expect(
        info.some((each) => each.kinds.includes(kind)),
        'The connector does not declare the kind.',
        kind,
      ),
    );
}
