// The status of a token as its provider tells it.
import { cryptographyProviderOperations, type TokenInstanceStatusDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { lookAtInstance, type Connectors } from '../connectors/index.ts';
import type { TokenRow } from './tables.ts';

/**
 * Asks the provider. A provider that is down must not hide the token from people: its status is unknown then, and a
 * component says why.
 */
export async function lookAtToken(
  connectors: Pick<Connectors, 'client'>,
  row: Pick<TokenRow, 'connector_uuid' | 'connector_token_uuid'>,
  context: Pick<RequestContext, 'signal'>,
): Promise<TokenInstanceStatusDetailDto> {
  const params = { uuid: row.connector_token_uuid };
  const seen = await lookAtInstance(
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
      return unknown('The connector does not know the token.');
    case 'unavailable':
      return unknown(seen.error?.message ?? 'The connector does not answer.');
  }
}

const unknown = (reason: string): TokenInstanceStatusDetailDto => ({
  status: 'Unknown',
  components: { Connector: { status: 'Unknown', details: { reason } } },
});
