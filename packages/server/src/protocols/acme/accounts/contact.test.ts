import { describe, expect, it } from 'vitest';
import { readContact } from './contact.ts';

const rejectionOfType = (type: string): Error => expect.objectContaining({ name: 'AcmeRejection', type }) as Error;

describe('account contacts (RFC 8555 §7.3)', () => {
  it.each([' mailto:admin@example.com', 'mailto: admin@example.com', 'mailto:admin@example.com \t'])(
    'are accepted and stored without surrounding whitespace: "%s"',
    (contact) => {
      expect(readContact([contact])).toEqual(['mailto:admin@example.com']);
    },
  );

  it.each([
    ['letters beyond ASCII before the @', 'mailto:jürgen@example.com'],
    ['letters beyond ASCII in the domain', 'mailto:admin@bücher.example'],
    ['a control character', 'mailto:a\0b@example.com'],
    ['a blank inside', 'mailto:ad min@example.com'],
    ['nothing but blanks', 'mailto:  '],
    ['two addresses', 'mailto:a@example.com,b@example.com'],
    ['a header field', 'mailto:a@example.com?subject=x'],
  ])('are rejected with %s', (_what, contact) => {
    expect(() => readContact([contact])).toThrow(rejectionOfType('invalidContact'));
  });

  it('are rejected with a suggestion if a domain name contains non-ASCII characters', () => {
    expect(() => readContact(['mailto:admin@bücher.example'])).toThrow(/ASCII.*xn--/);
    expect(readContact(['mailto:admin@xn--bcher-kva.example'])).toEqual(['mailto:admin@xn--bcher-kva.example']);
  });

  it('keep the scheme as sent', () => {
    expect(readContact(['MAILTO:a@example.com'])).toEqual(['MAILTO:a@example.com']);
  });

  it('that use other schemes are not supported', () => {
    expect(() => readContact(['tel:+4930123456'])).toThrow(rejectionOfType('unsupportedContact'));
    expect(() => readContact(['admin@example.com'])).toThrow(rejectionOfType('invalidContact'));
  });
});
