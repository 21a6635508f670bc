// Token status for display: whether the token is active, in this process or in all; its keys; whether it is locked.
import type { TokenInstanceStatusComponent, TokenInstanceStatusDto } from '@signetry/contract';
import type { ConnectorParts } from '../parts.ts';
import { formatInstant, lockedUntil } from './code-attempts.ts';
import type { TokenRow } from './token-store.ts';

export async function tokenStatus(
  { active, keys, context }: ConnectorParts,
  row: TokenRow,
): Promise<TokenInstanceStatusDto> {
  const own = active.peek(row.uuid);
  const isActiveHere = own !== undefined && own.deactivations === row.deactivations;
  const isActive = isActiveHere || row.sealed_unattended_key !== null;
  const { pairs, secrets } = await keys.count(row.uuid);
  return {
    status: isActive ? 'Activated' : 'Deactivated',
    components: {
      'This process': {
        status: isActive ? 'Activated' : 'Deactivated',
        details: { openKeys: isActiveHere ? own.keys.size : 0 },
      },
      'Other processes': {
        status: row.sealed_unattended_key ? 'Activated' : 'Unknown',
        details: { activation: row.stays_active ? 'shared by all processes' : 'separate for each process' },
      },
      'Activation code': codeStatus(row, context.clock.now()),
      Keys: { status: 'Connected', details: { keyPairs: pairs, secretKeys: secrets } },
    },
  };
}

function codeStatus(row: TokenRow, now: Date): TokenInstanceStatusComponent {
  const until = lockedUntil(row, now);
  const details = { wrongCodes: row.wrong_codes };
  return until
    ? { status: 'Warning', details: { ...details, lockedUntil: formatInstant(until) } }
    : { status: 'Connected', details };
}
