import { describe, expect, it } from 'vitest';
import { isOwnListener } from './own-listeners.ts';

const machine = () => ['127.0.0.1', '192.0.2.10', '2001:db8::10'];
const owns = (host: string, target: string, port = 443) =>
  isOwnListener([{ host, port: 443 }, undefined], { address: target, port }, machine);

describe("detection of the platform's own listeners", () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::1'],
    ['localhost', '127.0.0.9'],
    ['0.0.0.0', '127.0.0.1'],
    ['0.0.0.0', '192.0.2.10'],
    ['::', '2001:db8::10'],
    ['192.0.2.10', '192.0.2.10'],
  ])('matches a listener on %s with the address %s', (host, target) => {
    expect(owns(host, target)).toBe(true);
  });

  it.each([
    ['0.0.0.0', '192.0.2.99'],
    ['::', '2001:db8::99'],
    ['127.0.0.1', '192.0.2.10'],
    ['192.0.2.10', '127.0.0.1'],
  ])('does not match a listener on %s with the address %s', (host, target) => {
    expect(owns(host, target)).toBe(false);
  });

  it('does not match a different port', () => {
    expect(owns('0.0.0.0', '127.0.0.1', 8443)).toBe(false);
  });
});
