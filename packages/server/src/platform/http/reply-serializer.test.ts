import { platformOperations, type Operation } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { serializerOf } from './reply-serializer.ts';

const operations: readonly Operation[] = Object.values(platformOperations);
const answeringJson = operations.filter(({ success }) => success.body && !success.media);

describe('response serializers', () => {
  it('compile for every operation; in production, this happens with the first response', () => {
    for (const operation of answeringJson) expect(() => serializerOf(operation), operation.id).not.toThrow();
    expect(answeringJson.length).toBeGreaterThan(100);
  });

  it('omit properties that the contract does not define', () => {
    const text = serializerOf(platformOperations.getHealthLiveness)({ status: 'UP', secret: 'hidden' });
    expect(text).toBe('{"status":"UP"}');
  });
});
