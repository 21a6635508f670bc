import { describe, expect, it } from 'vitest';
import { readIdentifiers } from './identifiers.ts';

const dns = (...values: string[]) => values.map((value) => ({ type: 'dns', value }));

describe('DNS names of orders', () => {
  it('may be internationalized, in their ASCII form, below a wildcard too (RFC 8555 §7.1.4)', () => {
    const names = dns('xn--bcher-kva.example', '*.XN--BCHER-KVA.example');
    expect(readIdentifiers(names)).toEqual(dns('xn--bcher-kva.example', '*.xn--bcher-kva.example'));
  });

  it.each(['xn--99zzzzzz.example', '*.xn--a.example', 'www.xn--ls8h.example', 'ab--cd.example'])(
    'are refused when a label is none of IDNA2008: %s',
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
