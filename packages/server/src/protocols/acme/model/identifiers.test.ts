import { describe, expect, it } from 'vitest';
import { readIdentifiers } from './identifiers.ts';

const dns = (...values: string[]) => values.map((value) => ({ type: 'dns', value }));

describe('DNS names in orders', () => {
  it('can be internationalized, in ASCII form, including below a wildcard (RFC 8555 §7.1.4)', () => {
    const names = dns('xn--bcher-kva.example', '*.XN--BCHER-KVA.example');
    expect(readIdentifiers(names)).toEqual(dns('xn--bcher-kva.example', '*.xn--bcher-kva.example'));
  });

  it.each(['xn--99zzzzzz.example', '*.xn--a.example', 'www.xn--ls8h.example', 'ab--cd.example'])(
    'are rejected if a label violates IDNA2008: %s',
    (name) => {
      const identifier = { type: 'dns', value: name };
      expect(() => readIdentifiers(dns(name))).toThrow(
        expect.objectContaining({
          type: 'rejectedIdentifier',
          facts: { subproblems: [expect.objectContaining({ type: 'rejectedIdentifier', identifier })] },
        }),
      );
    },
  );
});
