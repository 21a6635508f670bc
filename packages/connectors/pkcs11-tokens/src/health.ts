// The connector's health. A library that cannot be loaded does not affect the platform's other work, so the connector
// as a whole is unhealthy only if the database is.
import type { HealthDto } from '@signetry/contract';
import { NONE_CONFIGURED, type Libraries, type Library } from './libraries.ts';
import { rejectionOf } from './rejections.ts';
import type { TokenStore } from './tokens/token-store.ts';

/** Platforms wait 10 s for the entire response. */
const LOOK_MS = 5_000;

export async function connectorHealth(store: TokenStore, libraries: Libraries): Promise<HealthDto> {
  const database = await databaseHealth(store);
  if (libraries.all.length === 0)
    return { status: database.status, description: `${NONE_CONFIGURED}.`, parts: { database } };
  const parts = await Promise.all(
    libraries.all.map(async (library): Promise<[string, HealthDto]> => [library.name, await libraryHealth(library)]),
  );
  const isComplete = parts.every(([, { status }]) => status === 'ok');
  return {
    status: database.status === 'ok' && !isComplete ? 'unknown' : database.status,
    parts: { database, ...Object.fromEntries(parts) },
  };
}

async function databaseHealth(store: TokenStore): Promise<HealthDto> {
  try {
    await store.ping();
    return { status: 'ok' };
  } catch {
    return { status: 'nok', description: 'The database does not respond.' };
  }
}

async function libraryHealth(library: Library): Promise<HealthDto> {
  const late = Promise.withResolvers<HealthDto>();
  const description = `Library ${library.name} does not respond.`;
  const timer = setTimeout(() => late.resolve({ status: 'nok', description }), LOOK_MS);
  try {
    const described = library.client.call('describe', {}).then((): HealthDto => ({ status: 'ok' }));
    return await Promise.race([described, late.promise]);
  } catch (error) {
    const refusal = rejectionOf(error, { library, operation: 'describe' });
    return { status: 'nok', description: refusal instanceof Error ? refusal.message : description };
  } finally {
    clearTimeout(timer);
  }
}
