import type { RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { retainSecrets, maskSecrets } from './secrets.ts';

const secret = (content: RequestAttributeDto['content'], name = 'password'): RequestAttributeDto => ({
  uuid: '5a0c6f26-2f3a-4f62-9d0c-0a9b1c2d3e4f',
  name,
  contentType: 'secret',
  content,
});

describe('secret attributes', () => {
  it('are masked, but keep their reference and protection level', () => {
    const shown = maskSecrets([secret([{ reference: 'db', data: { secret: 'canary', protectionLevel: 'none' } }])]);
    expect(shown[0]?.content).toEqual([{ reference: 'db', data: { protectionLevel: 'none' } }]);
    expect(JSON.stringify(shown)).not.toContain('canary');
  });

  it('are unchanged if an update omits their value', () => {
    const stored = [secret([{ data: { secret: 'old' } }])];
    expect(retainSecrets([secret([{ data: {} }])], stored)[0]?.content).toEqual([{ data: { secret: 'old' } }]);
    expect(retainSecrets([secret([{ data: { secret: '' } }])], stored)[0]?.content).toEqual([
      { data: { secret: 'old' } },
    ]);
  });

  it('are replaced if an update contains a new value', () => {
    const stored = [secret([{ data: { secret: 'old' } }])];
    expect(retainSecrets([secret([{ data: { secret: 'new' } }])], stored)[0]?.content).toEqual([
      { data: { secret: 'new' } },
    ]);
  });

  it('are matched by reference first, and by position second', () => {
    const stored = [
      secret([
        { reference: 'a', data: { secret: '1' } },
        { reference: 'b', data: { secret: '2' } },
      ]),
    ];
    const kept = retainSecrets([secret([{ reference: 'b', data: {} }])], stored);
    expect(kept[0]?.content).toEqual([{ reference: 'b', data: { secret: '2' } }]);
  });

  it('include key store files, which are matched by file name', () => {
    const data = { content: 'Y2FuYXJ5', fileName: 'a.p12', mimeType: 'application/x-pkcs12' };
    const file = (item: typeof data): RequestAttributeDto => ({
      ...secret([{ data: item }], 'keyStore'),
      contentType: 'file',
    });
    const [shown] = maskSecrets([file(data)], 'credentials');
    expect(shown?.content).toEqual([{ data: { ...data, content: '' } }]);
    expect(retainSecrets(shown ? [shown] : [], [file(data)], 'credentials')).toEqual([file(data)]);
    const another = file({ ...data, content: 'bmV3' });
    expect(retainSecrets([another], [file(data)], 'credentials')).toEqual([another]);
    expect(maskSecrets([file(data)], 'raProfiles')).toEqual([file(data)]);
    expect(retainSecrets(shown ? [shown] : [], [file(data)], 'raProfiles')).toEqual([shown]);
  });

  it('do not move to a different attribute', () => {
    const kept = retainSecrets([secret([{ data: {} }], 'other')], [secret([{ data: { secret: 'old' } }])]);
    expect(kept[0]?.content).toEqual([{ data: {} }]);
  });
});
