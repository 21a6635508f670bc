import { platformOperations, type Operation } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { serializerOf } from './reply-serializer.ts';

const operations: readonly Operation[] = Object.values(platformOperations);
const answeringJson = operations.filter(({ success }) => success.body && !success.media);

describe('the serializers of answers', () => {
  it('can be compiled for every operation, which happens when it answers first', () => {
    for (const operation of answeringJson) expect(() => serializerOf(operation), operation.id).not.toThrow();
    expect(answeringJson.length).toBeGreaterThan(100);
  });

  it('leave out what the contract does not name', () => {
    const text = serializerOf(platformOperations.getHealthLiveness)({ status: 'UP', secret: 'hidden' });
    expect(text).toBe('{"status":"UP"}');
  });
});
