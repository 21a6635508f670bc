import { describe, expect, it } from 'vitest';
import { isSafeMethod } from './network.ts';

describe('methods', () => {
  it('are safe if they do not change anything', () => {
    expect(['GET', 'HEAD', 'OPTIONS'].every(isSafeMethod)).toBe(true);
    expect(['POST', 'PUT', 'PATCH', 'DELETE', 'get'].some(isSafeMethod)).toBe(false);
  });
});
