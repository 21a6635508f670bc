// What people are shown of a token whose provider tells its status, or does not.
import { describe, expect, it } from 'vitest';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import type { Connectors } from '../connectors/index.ts';
import { lookAtToken } from './token-status.ts';

const row = { connector_uuid: 'connector', connector_token_uuid: 'there' };
const { signal } = new AbortController();

/** Connectors whose provider answers like this; keeps what it was asked. */
function connectorsThat(answer: () => Promise<unknown>, asked: unknown[] = []): Connectors {
  const client = async (uuid: string) => ({
    call: (operation: { readonly path: string }, request: unknown, options: unknown) => {
      asked.push([uuid, operation.path, request, options]);
      return answer();
    },
  });
  return { client } as unknown as Connectors; // nothing else of them is used
}
const unknown = (reason: string) => ({
  status: 'Unknown',
  components: { Connector: { status: 'Unknown', details: { reason } } },
});

describe('the status of a token', () => {
  it('is what its provider says, asked by the identifier that it gave, and not waited for long', async () => {
    const said = { status: 'Activated', components: { slot: { status: 'Warning' } } };
    const asked: unknown[] = [];
    expect(
      await lookAtToken(
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
    ['does not know the token', notFound('Object of connector c', 'there'), 'The connector does not know the token.'],
    [
      'cannot be reached',
      new AppError('connector_unreachable', { connector: 'c', reason: 'refused' }),
      'Connector c cannot be reached: refused. Check that it runs and that its URL is right.',
    ],
    [
      'fails',
      new AppError('connector_failed', { connector: 'c', problem: 'it broke' }),
      'Connector c failed: it broke.',
    ],
    ['refuses the question', rejected('not now'), 'not now'],
  ])('is unknown, with the reason, where its provider %s', async (_what, error, reason) => {
    expect(
      await lookAtToken(
        connectorsThat(() => Promise.reject(error)),
        row,
        { signal },
      ),
    ).toEqual(unknown(reason));
  });

  it('is unknown where its connector was removed, and nobody is asked', async () => {
    const connectors = connectorsThat(() => expect.fail('it was asked'));
    expect(await lookAtToken(connectors, { ...row, connector_uuid: null }, { signal })).toEqual(
      unknown('The connector of the token was removed.'),
    );
  });

  it('is not made up where the caller went away, or the platform itself is at fault', async () => {
    const unreachable = new AppError('connector_unreachable', { connector: 'c', reason: 'stopped' });
    const looking = lookAtToken(
      connectorsThat(() => Promise.reject(unreachable)),
      row,
      { signal: AbortSignal.abort() },
    );
    await expect(looking).rejects.toBe(unreachable);
    const fault = new TypeError('x');
    await expect(
      lookAtToken(
        connectorsThat(() => Promise.reject(fault)),
        row,
        { signal },
      ),
    ).rejects.toBe(fault);
  });
});
