import { connectorBaseOperations } from '@signetry/contract';
import { ConnectorError, handlersOf, type RunningConnector } from '@signetry/connector-sdk';
import { describe, expect, it } from 'vitest';
import { createInProcessTransport } from './in-process-transport.ts';

const { validateAttributes, listAttributeDefinitions } = connectorBaseOperations;
const params = { functionalGroup: 'credentialProvider', kind: 'Test' } as const;

function transportTo(validate: (signal: AbortSignal) => Promise<undefined>, definitions: unknown = []) {
  const running: RunningConnector = {
    connector: { name: 'test', functionGroups: [], migrations: [], create: () => ({ handlers: {} }) },
    handlers: handlersOf(connectorBaseOperations, {
      validateAttributes: ({ signal }) => validate(signal),
      listAttributeDefinitions: () => definitions as never, // also answers that break the contract
    }),
  };
  return createInProcessTransport(running);
}

const validate = (transport: ReturnType<typeof transportTo>, options = {}) =>
  transport.call(validateAttributes, { params, body: [] }, options);

describe('a call in the process', () => {
  it.each([
    [new ConnectorError(404, 'gone'), { kind: 'notFound', outcome: 'notCarriedOut' }],
    [new ConnectorError(422, ['one', 'two']), { kind: 'rejected', problems: ['one', 'two'] }],
    [new ConnectorError(400, 'words'), { kind: 'refused', remoteMessage: 'words' }],
    [new ConnectorError(503, 'busy', { retryAfterSeconds: 90 }), { kind: 'unavailable', retryAfterSeconds: 90 }],
    [new Error('a fault'), { kind: 'failed', outcome: 'unknown' }],
  ])('fails as it would over HTTP: %s', async (fault, expected) => {
    await expect(validate(transportTo(() => Promise.reject(fault)))).rejects.toMatchObject(expected);
  });

  it('ends when its time is up, although the connector goes on, and tells the connector', async () => {
    let told: AbortSignal | undefined;
    const transport = transportTo((signal) => {
      told = signal;
      return new Promise(() => undefined);
    });
    await expect(validate(transport, { timeoutMs: 20 })).rejects.toMatchObject({
      outcome: 'unknown',
      message: 'it did not answer within 0.02 s',
    });
    expect(told?.aborted).toBe(true);
  });

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const transport = transportTo(() => {
      caller.abort();
      return new Promise(() => undefined);
    });
    await expect(validate(transport, { signal: caller.signal })).rejects.toMatchObject({ outcome: 'unknown' });
    await expect(validate(transport, { signal: caller.signal })).rejects.toMatchObject({ outcome: 'notCarriedOut' });
  });

  it('validates answers by their schema and fills in its defaults', async () => {
    const definition = { uuid: 'u', name: 'n', type: 'data', contentType: 'string', properties: { label: 'L' } };
    const call = (answer: unknown) =>
      transportTo(() => Promise.resolve(undefined), answer).call(listAttributeDefinitions, { params }, {});
    expect(await call([definition])).toMatchObject([{ version: 2, properties: { required: false } }]);
    await expect(call([{ name: 'n' }])).rejects.toMatchObject({ kind: 'failed', outcome: 'unknown' });
  });
});
