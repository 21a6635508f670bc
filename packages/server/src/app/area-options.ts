// Area options from the settings and startup, in addition to the platform's services.
import { acmeTestMode } from './acme-test-mode.ts';
import { scepUrlOf, secureUrl, type OpenListeners } from './public-urls.ts';
import type { AreaOptions } from './areas.ts';
import { isLoopback } from './listeners.ts';
import { witnessColumn, type openKeys } from './sealing-key.ts';
import type { Settings } from './settings.ts';

export interface AreaFacts {
  readonly values: Settings;
  readonly listeners: Readonly<OpenListeners>;
  readonly keys: Awaited<ReturnType<typeof openKeys>>;
  readonly weakKeys: AreaOptions['weakKeys'];
  readonly isReady: () => boolean;
  readonly keySettleMs: number | undefined;
  readonly acmeRetryDelaysMs: readonly number[] | undefined;
}

export function areaOptions(facts: AreaFacts): AreaOptions {
  const { values, listeners, keys } = facts;
  return {
    issueWaitMs: values.issueWaitMs,
    discovery: {
      deadlineMs: values.discoveryDeadlineMinutes * 60_000,
      outageMs: values.discoveryOutageSeconds * 1_000,
    },
    timeZone: values.timeZone,
    isReady: facts.isReady,
    weakKeys: facts.weakKeys,
    acceptedClock: values.acceptClock,
    libraries: values.pkcs11Libraries,
    discoveryNetworks: values.discoveryNetworks,
    readableDirectories: values.discoveryDirectories,
    directories: values.entityDirectories,
    reloadCommands: values.entityReloadCommands,
    connectorSameKinds: values.connectorSameKinds,
    keys: { ...keys, columns: [witnessColumn], settleMs: facts.keySettleMs },
    trustedProxies: values.trustedProxies,
    proxyCertificates: values.proxyCertificates,
    signIn: {
      sessions: { idleMs: values.sessionIdleMinutes * 60_000, lifetimeMs: values.sessionHours * 3_600_000 },
      invitationLifetimeMs: values.invitationHours * 3_600_000,
    },
    audit: {
      endFile: values.auditEndFile,
      endWebhook: values.auditEndWebhook,
      endIntervalMs: values.auditEndMinutes * 60_000,
    },
    intuneAddresses: {
      loginUrl: values.intuneLoginUrl,
      graphUrl: values.intuneGraphUrl,
      resourceUrl: values.intuneResourceUrl,
    },
    scepBase: () => scepUrlOf(values, listeners),
    acme: {
      directoryBase: () => values.publicUrl ?? secureUrl(listeners),
      linkOrigin: (requestOrigin) => values.publicUrl ?? requestOrigin,
      settings: {
        resolver: values.acmeDns,
        http01Port: values.acmeHttp01Port,
        tlsAlpn01Port: values.acmeTlsAlpn01Port,
        allowLoopback: isLocalOnly(values, listeners),
        retryDelaysMs: facts.acmeRetryDelaysMs,
        testMode: acmeTestMode(values),
        maxOpenOrders: values.limitAcmePendingOrders,
      },
    },
  };
}

/**
 * Returns whether only this machine can reach the platform. If so, requesters are local, and loopback addresses can be
 * validated for them. A public URL means that others reach the platform, through a reverse proxy if its listeners are
 * bound to loopback.
 */
export const isLocalOnly = (
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { http, https }: Pick<OpenListeners, 'http' | 'https'>,
): boolean => publicUrl === undefined && [http, https].every((each) => !each || isLoopback(each.host));
