// The displayed status of a token whose provider returns a status, or fails to.
import { describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import type { Connectors } from '../connectors/index.ts';
import { readTokenStatus } from './token-status.ts';

const row = { connector_uuid: 'connector', connector_token_uuid: 'there' };
const { signal } = new AbortController();

/** Creates connectors whose provider returns this, and records the requests. */
function connectorsThat(answer: () => Promise<unknown>, asked: unknown[] = []): Connectors {
  const client = async (uuid: string) => ({
    call: (operation: { readonly path: string }, request: unknown, options: unknown) => {
      asked.push([uuid, operation.path, request, options]);
      return answer();
    },
  });
  return { client } as unknown as Connectors; // Nothing else is used.
}
const unknown = (reason: string) => ({
  status: 'Unknown',
  components: { Connector: { status: 'Unknown', details: { reason } } },
});

describe("a token's status", () => {
  it("is the status returned by its provider, requested with the provider's ID and a short timeout", async () => {
    const said = { status: 'Activated', components: { slot: { status: 'Warning' } } };
    const asked: unknown[] = [];
    expect(
      await readTokenStatus(
        connectorsThat(async () => said, asked),
        row,
        { signal },
      ),
    ).toEqual(said);
    expect(asked).toEqual([
      [
        'connector',
        '/v1/cryptographyProvider/tokens/{uuid}/status',
        { params: { uuid: 'there' } },
        { signal, timeoutMs: 10_000 },
      ],
    ]);
  });

  it.each([
    ['does not know the token', notFound('Object of connector c', 'there'), 'The connector has no such token.'],
    [
      'is unreachable',
      new AppError('connector_unreachable', { connector: 'c', reason: 'refused' }),
      'Connector c cannot be reached: refused. Check that the connector is running and that its URL is correct.',
    ],
    [
      'fails',
      new AppError('connector_failed', { connector: 'c', problem: 'it broke' }),
      'Connector c failed: it broke.',
    ],
    ['rejects the request', rejected('not now'), 'not now'],
  ])('is unknown, with the reason, if its provider %s', async (_what, error, reason) => {
    expect(
      await readTokenStatus(
        connectorsThat(() => Promise.reject(error)),
        row,
        { signal },
      ),
    ).toEqual(unknown(reason));
  });

  it('is unknown if its connector was removed, and no provider is called', async () => {
    const connectors = connectorsThat(() => expect.fail('the connector was called'));
    expect(await readTokenStatus(connectors, { ...row, connector_uuid: null }, { signal })).toEqual(
      unknown('The connector of the token was removed.'),
    );
  });

  it('is not replaced by "Unknown" if the caller disconnected or if the platform itself failed', async () => {
    const unreachable = new AppError('connector_unreachable', { connector: 'c', reason: 'stopped' });
    const looking = readTokenStatus(
      connectorsThat(() => Promise.reject(unreachable)),
      row,
      { signal: AbortSignal.abort() },
    );
    await expect(looking).rejects.toBe(unreachable);
    const fault = new TypeError('x');
    await expect(
      readTokenStatus(
        connectorsThat(() => Promise.reject(fault)),
        row,
        { signal },
      ),
    ).rejects.toBe(fault);
  });
});
