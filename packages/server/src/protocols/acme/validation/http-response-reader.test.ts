import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpResponseReader, MalformedResponse, type HttpResponse } from './http-response-reader.ts';

/** Feeds the pieces to a reader, followed by the end of the stream. */
function read(pieces: readonly Buffer[]): HttpResponse | undefined {
  const reader = new HttpResponseReader();
  for (const piece of pieces) {
    const response = reader.push(piece);
    if (response) return response;
  }
  return reader.end();
}

const readText = (text: string) => read([Buffer.from(text, 'latin1')]);
const OK = 'HTTP/1.1 200 OK\r\n';

describe('the HTTP response reader', () => {
  it.each([
    ['a length', `${OK}Content-Length: 4\r\n\r\nbody and more`],
    ['chunks', `${OK}transfer-encoding: Chunked\r\n\r\n1\r\nb\r\n03;x=y\r\nody\r\n0\r\n`],
    ['the end of the connection', `${OK}\r\nbody`],
    ['lines without CR', 'HTTP/1.0 200\nContent-Length:4\n\nbody'],
    ['interim responses before', `HTTP/1.1 100 Continue\r\nLocation: /a\r\n\r\nHTTP/1.1 103 x\r\n\r\n${OK}\r\nbody`],
  ])('reads a body delimited by %s (RFC 9112 §6.3)', (_what, text) => {
    expect(readText(text)).toEqual({ status: 200, location: undefined, body: 'body', isTruncated: false });
  });

  it('returns as soon as the required data has arrived (RFC 9112 §6.3)', () => {
    const reader = new HttpResponseReader();
    expect(reader.push(Buffer.from(`${OK}Content-Length: 4\r\n\r\nbod`))).toBeUndefined();
    expect(reader.push(Buffer.from('y'))).toMatchObject({ body: 'body' });
    expect(readText(`${OK}Content-Length: 0\r\n\r\n`)).toMatchObject({ body: '' });
    const redirect = new HttpResponseReader();
    expect(redirect.push(Buffer.from('HTTP/1.1 302 x\r\nLOCATION:  /there \r\nContent-Length: 9\r\n\r\n'))).toEqual({
      status: 302,
      location: '/there',
      body: '',
      isTruncated: false,
    });
  });

  it.each([
    ['a status line', 'HTTP/1.1 20'],
    ['fields', `${OK}Content-Length: 4\r\n`],
    ['a body', `${OK}Content-Length: 4\r\n\r\nbod`],
    ['a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nbod`],
    ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n`],
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('returns no response if the connection ends within %s (RFC 9112 §8)', (_what, text) => {
    expect(readText(text)).toBeUndefined();
  });

  it.each([
    ['another protocol', 'FTP ready'],
    ['HTTP of another version', 'HTTP/2 200\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['a folded field', `${OK}A: b\r\n c: d\r\n\r\n`],
    ['space before the colon', `${OK}Content-Length : 4\r\n\r\nbody`],
    ['a line without a colon', `${OK}body\r\n\r\n`],
    ['a negative length', `${OK}Content-Length: -4\r\n\r\nbody`],
    ['a list of lengths', `${OK}Content-Length: 4, 4\r\n\r\nbody`],
    ['a length beyond all numbers', `${OK}Content-Length: ${'9'.repeat(30)}\r\n\r\nbody`],
    ['a repeated length', `${OK}Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody`],
    ['a length and chunks', `${OK}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['another encoding', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk size that is not a number', `${OK}Transfer-Encoding: chunked\r\n\r\n-4\r\nbody\r\n0\r\n\r\n`],
    ['an overlong chunk size', `${OK}Transfer-Encoding: chunked\r\n\r\n000000004\r\nbody\r\n0\r\n\r\n`],
    ['a chunk without its end', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nbodyX\r\n0\r\n\r\n`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a line without end', `HTTP/1.1 200 ${'x'.repeat(20_000)}`],
    ['too many fields', `${OK}${'a: b\r\n'.repeat(4000)}\r\n`],
    ['too many interim responses', 'HTTP/1.1 100 x\r\n\r\n'.repeat(1000)],
    ['too many small chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n${`1;${'x'.repeat(100)}\r\na\r\n`.repeat(500)}`],
  ])('rejects %s (RFC 9112 §2.2, §5, §6.3, §7.1)', (_what, text) => {
    expect(() => readText(text)).toThrow(MalformedResponse);
  });

  it.each([
    ['without a length', `${OK}\r\n`],
    ['with a length', `${OK}Content-Length: 5000\r\n\r\n`],
    ['in chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n1388\r\n`],
  ])('keeps 1 KiB of a body %s, and reports that there is more (RFC 8555 §10.3)', (_what, head) => {
    const response = readText(head + 'x'.repeat(5000));
    expect(response).toMatchObject({ isTruncated: true });
    expect(response?.body).toHaveLength(1024);
    expect(readText(`${OK}\r\n${'x'.repeat(1024)}`)).toMatchObject({ isTruncated: false });
  });

  it('returns the same result regardless of how the data is fragmented (RFC 9112 §2)', () => {
    const responses = [
      `${OK}Content-Length: 4\r\n\r\nbody`,
      `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n3\r\nody\r\n0\r\n\r\n`,
      `HTTP/1.1 100 x\r\n\r\n${OK}\r\nbody`,
      'HTTP/1.0 302 x\nLocation: /there\n\n',
    ].map((text) => Buffer.from(text));
    const cuts = fc.array(fc.nat(100), { maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...responses), cuts, (bytes, places) => {
        const at = [0, ...places.filter((place) => place < bytes.length).toSorted((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(pieces)).toEqual(read([bytes]));
      }),
    );
  });

  it('never throws any other error, regardless of the input (RFC 9112 §2.2)', () => {
    const parts = fc.constantFrom(
      OK,
      '\r\n',
      '\n',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      '3\r\n',
      'abc',
      '\0',
      ' ',
    );
    const pieces = fc.array(
      fc.oneof(
        parts.map((text) => Buffer.from(text)),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
    );
    fc.assert(
      fc.property(pieces, (arriving) => {
        try {
          read(arriving);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedResponse);
        }
      }),
    );
  });
});
