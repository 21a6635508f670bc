import { connectorBaseOperations } from '@signetry/contract';
import { ConnectorError, handlersOf, type RunningConnector } from '@signetry/connector-sdk';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseUnavailable } from '../../platform/database/database-errors.ts';
import { createInProcessTransport } from './in-process-transport.ts';

const { validateAttributes, listAttributeDefinitions } = connectorBaseOperations;
const params = { functionalGroup: 'credentialProvider', kind: 'Test' } as const;

function transportTo(
  validate: (signal: AbortSignal) => Promise<undefined>,
  definitions: unknown = [],
  begunBeforeCommit: RunningConnector['connector']['begunBeforeCommit'] = [],
) {
  const running: RunningConnector = {
    connector: {
      name: 'test',
      functionGroups: [],
      migrations: [],
      begunBeforeCommit,
      create: () => ({ handlers: {} }),
    },
    handlers: handlersOf(connectorBaseOperations, {
      validateAttributes: ({ signal }) => validate(signal),
      listAttributeDefinitions: () => definitions as never, // may also violate the contract
    }),
  };
  return createInProcessTransport(running);
}

const validate = (transport: ReturnType<typeof transportTo>, options = {}) =>
  transport.call(validateAttributes, { params, body: [] }, options);

describe('an in-process call', () => {
  it.each([
    [new ConnectorError(404, 'gone'), { kind: 'notFound', outcome: 'notCarriedOut' }],
    [new ConnectorError(422, ['one', 'two']), { kind: 'rejected', problems: ['one', 'two'] }],
    [new ConnectorError(400, 'reason'), { kind: 'refused', remoteMessage: 'reason' }],
    [new ConnectorError(503, 'busy', { retryAfterSeconds: 90 }), { kind: 'unavailable', retryAfterSeconds: 90 }],
    [new Error('a bug'), { kind: 'failed', outcome: 'unknown' }],
    [
      new Error('failed batch', { cause: new DatabaseUnavailable('unreachable', undefined) }),
      { kind: 'unavailable', outcome: 'unknown', message: 'its database cannot be reached' },
    ],
  ])('fails in the same way as over HTTP: %s', async (fault, expected) => {
    await expect(validate(transportTo(() => Promise.reject(fault)))).rejects.toMatchObject(expected);
  });

  it("times out and aborts the connector's signal, even if the connector keeps running", async () => {
    let told: AbortSignal | undefined;
    const transport = transportTo((signal) => {
      told = signal;
      return new Promise(() => undefined);
    });
    await expect(validate(transport, { timeoutMs: 20 })).rejects.toMatchObject({
      outcome: 'unknown',
      message: 'it did not respond within 0.02 s',
    });
    expect(told?.aborted).toBe(true);
  });

  it('is aborted with its caller', async () => {
    const caller = new AbortController();
    const transport = transportTo(() => {
      caller.abort();
      return new Promise(() => undefined);
    });
    await expect(validate(transport, { signal: caller.signal })).rejects.toMatchObject({ outcome: 'unknown' });
    await expect(validate(transport, { signal: caller.signal })).rejects.toMatchObject({ outcome: 'notCarriedOut' });
  });

  it('starts after the commit is confirmed, and does not start if the commit fails', async () => {
    const began: string[] = [];
    const transport = transportTo(async () => void began.push('validate'));
    const permission = Promise.withResolvers<void>();
    const call = validate(transport, { committed: permission.promise });
    await setImmediate();
    expect(began).toEqual([]);
    permission.resolve();
    await call;
    expect(began).toEqual(['validate']);
    const refused = validate(transport, { committed: Promise.reject(new Error('refused')) });
    await expect(refused).rejects.toMatchObject({ kind: 'unreachable', outcome: 'notCarriedOut' });
    expect(began).toEqual(['validate']);
  });

  it('leaves no unhandled rejection if it was rejected before the commit and the commit then fails', async () => {
    const unheard: unknown[] = [];
    const recordUnhandled = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', recordUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', recordUnhandled));
    const refuse = () => Promise.reject(new ConnectorError(422, ['one']));
    const permission = Promise.withResolvers<void>();
    const call = validate(transportTo(refuse, [], [validateAttributes]), { committed: permission.promise });
    await expect(call).rejects.toMatchObject({ kind: 'rejected' });
    permission.promise.catch(() => undefined);
    permission.reject(new Error('refused'));
    await setImmediate();
    expect(unheard).toEqual([]);
  });

  it('validates responses against their schema and fills in defaults', async () => {
    const definition = { uuid: 'u', name: 'n', type: 'data', contentType: 'string', properties: { label: 'L' } };
    const call = (answer: unknown) =>
      transportTo(() => Promise.resolve(undefined), answer).call(listAttributeDefinitions, { params }, {});
    expect(await call([definition])).toMatchObject([{ version: 2, properties: { required: false } }]);
    await expect(call([{ name: 'n' }])).rejects.toMatchObject({ kind: 'failed', outcome: 'unknown' });
  });
});
