// Drives every operation of the function groups that a connector declares, and holds each answer against the contract.
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
import type { Reach } from './reach.ts';
import { reportOf, type CheckResult, type ConformanceReport } from './report/result.ts';
import { Scope } from './scope.ts';
import { expect, Session } from './session.ts';
import { secretsIn, type GivenValues } from './values/given-values.ts';

export interface CheckOptions {
  readonly reach: Reach;
  /** Only these; all that are declared by default. */
  readonly groups?: readonly FunctionGroupCode[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** For what cannot be made up. */
  readonly values?: GivenValues | undefined;
  /** Texts that are never shown, e.g. those that authenticate the caller. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called as soon as there is a result. */
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

/** What is created at the connector is removed again, whatever the outcome. */
export async function checkConnector(options: CheckOptions): Promise<ConformanceReport> {
  const { reach, values = {}, secrets = [], signal, onResult } = options;
  const session = new Session(reach, { signal, onResult });
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

/** Asked for by name, a group or kind that is not there is a failure. */
async function checkSelection(
  session: Session,
  info: readonly InfoResponse[],
  { groups = [], kinds = [] }: CheckOptions,
): Promise<void> {
  for (const group of groups)
    await session.check({ group }, 'offers the function group', async () =>
      expect(
        info.some(({ functionGroupCode }) => functionGroupCode === group),
        'It is not declared.',
        group,
      ),
    );
  for (const kind of kinds)
    await session.check({ kind }, 'offers the kind', async () =>
      expect(
        info.some((each) => each.kinds.includes(kind)),
        'It is not declared.',
        kind,
      ),
    );
}
