// The connector's health: the database responds, and the clock is not behind.
import type { HealthDto } from '@signetry/contract';
import type { ConnectorParts } from './parts.ts';

export async function healthOf({ guard }: Pick<ConnectorParts, 'guard'>): Promise<HealthDto> {
  const database: HealthDto = { status: 'ok' };
  try {
    const problem = await guard.problem();
    if (problem === undefined) return { status: 'ok', parts: { database, clock: { status: 'ok' } } };
    return { status: 'nok', parts: { database, clock: { status: 'nok', description: problem } } };
  } catch {
    const description = 'The database does not respond.';
    return { status: 'nok', parts: { database: { status: 'nok', description } } };
  }
}
