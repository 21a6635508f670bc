import { describe, expect, it } from 'vitest';
import { isSafeMethod } from './network.ts';

describe('methods', () => {
  it('are safe if they change nothing', () => {
    expect(['GET', 'HEAD', 'OPTIONS'].every(isSafeMethod)).toBe(true);
    expect(['POST', 'PUT', 'PATCH', 'DELETE', 'get'].some(isSafeMethod)).toBe(false);
  });
});
