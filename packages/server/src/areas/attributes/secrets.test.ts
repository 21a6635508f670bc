import type { RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { keepSecrets, maskSecrets } from './secrets.ts';

const secret = (content: RequestAttributeDto['content'], name = 'password'): RequestAttributeDto => ({
  uuid: '5a0c6f26-2f3a-4f62-9d0c-0a9b1c2d3e4f',
  name,
  contentType: 'secret',
  content,
});

describe('secrets of attributes', () => {
  it('are masked, with their reference and protection level kept', () => {
    const shown = maskSecrets([secret([{ reference: 'db', data: { secret: 'canary', protectionLevel: 'none' } }])]);
    expect(shown[0]?.content).toEqual([{ reference: 'db', data: { protectionLevel: 'none' } }]);
    expect(JSON.stringify(shown)).not.toContain('canary');
  });

  it('stay as they are when an update sends none', () => {
    const stored = [secret([{ data: { secret: 'old' } }])];
    expect(keepSecrets([secret([{ data: {} }])], stored)[0]?.content).toEqual([{ data: { secret: 'old' } }]);
    expect(keepSecrets([secret([{ data: { secret: '' } }])], stored)[0]?.content).toEqual([
      { data: { secret: 'old' } },
    ]);
  });

  it('change when an update sends a new one', () => {
    const stored = [secret([{ data: { secret: 'old' } }])];
    expect(keepSecrets([secret([{ data: { secret: 'new' } }])], stored)[0]?.content).toEqual([
      { data: { secret: 'new' } },
    ]);
  });

  it('are matched by reference before place', () => {
    const stored = [
      secret([
        { reference: 'a', data: { secret: '1' } },
        { reference: 'b', data: { secret: '2' } },
      ]),
    ];
    const kept = keepSecrets([secret([{ reference: 'b', data: {} }])], stored);
    expect(kept[0]?.content).toEqual([{ reference: 'b', data: { secret: '2' } }]);
  });

  it('are files as well where these are key stores, known by their name', () => {
    const data = { content: 'Y2FuYXJ5', fileName: 'a.p12', mimeType: 'application/x-pkcs12' };
    const file = (item: typeof data): RequestAttributeDto => ({
      ...secret([{ data: item }], 'keyStore'),
      contentType: 'file',
    });
    const [shown] = maskSecrets([file(data)], 'credentials');
    expect(shown?.content).toEqual([{ data: { ...data, content: '' } }]);
    expect(keepSecrets(shown ? [shown] : [], [file(data)], 'credentials')).toEqual([file(data)]);
    const another = file({ ...data, content: 'bmV3' });
    expect(keepSecrets([another], [file(data)], 'credentials')).toEqual([another]);
    expect(maskSecrets([file(data)], 'raProfiles')).toEqual([file(data)]);
    expect(keepSecrets(shown ? [shown] : [], [file(data)], 'raProfiles')).toEqual([shown]);
  });

  it('do not move to another attribute', () => {
    const kept = keepSecrets([secret([{ data: {} }], 'other')], [secret([{ data: { secret: 'old' } }])]);
    expect(kept[0]?.content).toEqual([{ data: {} }]);
  });
});
