import { describe, expect, it } from 'vitest';
import { listsTarget, parseListedHost } from './listed-hosts.ts';

describe('an entry of a host list', () => {
  it.each([
    ['DB.example', { host: 'db.example', port: undefined }],
    ['db.example:5432', { host: 'db.example', port: 5432 }],
    ['127.0.0.1', { host: '127.0.0.1', port: undefined }],
    ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }],
    ['::1', { host: '::1', port: undefined }],
    ['[::1]', { host: '::1', port: undefined }],
    ['[::1]:9000', { host: '::1', port: 9000 }],
    ['db.example:0', undefined],
    ['db.example:65536', undefined],
    ['db.example:http', undefined],
    ['[::1]:', undefined],
  ])('%s is parsed as %j', (entry, expected) => {
    expect(parseListedHost(entry)).toEqual(expected);
  });

  it('matches the name or address, regardless of case and brackets', () => {
    const list = [
      { host: 'db.example', port: 5432 },
      { host: '::1', port: undefined },
    ];
    expect(listsTarget(list, { host: 'DB.example', address: '10.0.0.1', port: 5432 })).toBe(true);
    expect(listsTarget(list, { host: 'db.example', address: '10.0.0.1', port: 22 })).toBe(false);
    expect(listsTarget(list, { host: '[::1]', address: '::1', port: 22 })).toBe(true);
    expect(listsTarget(list, { host: 'x.example', address: '10.0.0.1', port: 5432 })).toBe(false);
  });
});
