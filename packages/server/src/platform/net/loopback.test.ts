import { describe, expect, it } from 'vitest';
import { isLoopback, isLoopbackHost } from './loopback.ts';

describe('loopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    [undefined, false],
  ])('address %s: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });

  it.each([
    ['localhost', true],
    ['LOCALHOST:8080', true],
    ['127.0.0.1:8080', true],
    ['[::1]:8080', true],
    ['[::1]', true],
    ['ca.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.nip.io:80', false],
    ['localhost@evil.example', false],
    ['evil.example:localhost', false],
    ['', false],
    [undefined, false],
  ])('host %s: %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});
