// The status of a token as its provider tells it.
import { cryptographyProviderOperations, type TokenInstanceStatusDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { PROBE_TIMEOUT_MS, type Connectors } from '../connectors/index.ts';
import type { TokenRow } from './tables.ts';

/**
 * Asks the provider. A provider that is down must not hide the token from people: its status is unknown then, and a
 * component says why.
 */
export async function lookAtToken(
  connectors: Connectors,
  row: Pick<TokenRow, 'connector_uuid' | 'connector_token_uuid'>,
  { signal }: Pick<RequestContext, 'signal'>,
): Promise<TokenInstanceStatusDetailDto> {
  if (row.connector_uuid === null) return unknown('The connector of the token was removed.');
  try {
    const client = await connectors.client(row.connector_uuid);
    const params = { uuid: row.connector_token_uuid };
    return await client.call(
      cryptographyProviderOperations.getTokenInstanceStatus,
      { params },
      { signal, timeoutMs: PROBE_TIMEOUT_MS },
    );
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    return unknown(error.code === 'object_not_found' ? 'The connector does not know the token.' : error.message);
  }
}

const unknown = (reason: string): TokenInstanceStatusDetailDto => ({
  status: 'Unknown',
  components: { Connector: { status: 'Unknown', details: { reason } } },
});
