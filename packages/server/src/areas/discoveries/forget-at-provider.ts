// Notifies providers in the background that a discovery was deleted. If a provider does not respond, its copy remains;
// nothing waits for it.
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Provider } from './provider.ts';
import type { DiscoveryRow } from './tables.ts';

const QUEUE = 'discoveries.forget-at-provider';

interface ForgetPayload {
  readonly connectorUuid: string;
  readonly providerUuid: string;
}

export function declareForgetJob({ jobs }: Pick<Platform, 'jobs'>, provider: Pick<Provider, 'forget'>) {
  jobs.declare<ForgetPayload>({
    name: QUEUE,
    handle: ({ connectorUuid, providerUuid }, { signal }) => provider.forget(connectorUuid, providerUuid, signal),
  });
  return {
    async ask(tx: Executor, rows: readonly DiscoveryRow[]): Promise<void> {
      for (const { connector_uuid: connectorUuid, provider_uuid: providerUuid } of rows)
        if (connectorUuid !== null && providerUuid !== null)
          await jobs.enqueue(tx, QUEUE, { connectorUuid, providerUuid } satisfies ForgetPayload);
    },
    wake: (): void => jobs.wake(QUEUE),
  };
}
