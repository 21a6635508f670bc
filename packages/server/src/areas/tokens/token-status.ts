// Token status as reported by its provider.
import { cryptographyProviderOperations, type TokenInstanceStatusDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { inspectInstance, type Connectors } from '../connectors/index.ts';
import type { TokenRow } from './tables.ts';

/**
 * Requests the status from the provider. The token must be shown even if the provider is unavailable: its status is
 * then unknown, and a component states the reason.
 */
export async function readTokenStatus(
  connectors: Pick<Connectors, 'client'>,
  row: Pick<TokenRow, 'connector_uuid' | 'connector_token_uuid'>,
  context: Pick<RequestContext, 'signal'>,
): Promise<TokenInstanceStatusDetailDto> {
  const params = { uuid: row.connector_token_uuid };
  const seen = await inspectInstance(
    connectors,
    row,
    (client, options) => client.call(cryptographyProviderOperations.getTokenInstanceStatus, { params }, options),
    context,
  );
  switch (seen.status) {
    case 'connected':
      return seen.answer;
    case 'without connector':
      return unknown('The connector of the token was removed.');
    case 'unknown to its connector':
      return unknown('The connector has no such token.');
    case 'unavailable':
      return unknown(seen.error?.message ?? 'The connector does not respond.');
  }
}

const unknown = (reason: string): TokenInstanceStatusDetailDto => ({
  status: 'Unknown',
  components: { Connector: { status: 'Unknown', details: { reason } } },
});
