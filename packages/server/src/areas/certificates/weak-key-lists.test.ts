import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromHex } from '@signetry/pki';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readWeakKeyLists } from './weak-key-lists.ts';

/** RSA-2048 key generated with Debian's broken random number generator (CVE-2008-0166). */
const DEBIAN_MODULUS =
  'c096530c4c4a343fc388ff8b6e14c88b617485966dd0f757f3decb2f03dfdfe6f518e0948f5387059bd5aa124f26d38f139dd6ebc2343605' +
  '61689758e9b14e03f714508167374cbf64e24e26c3cd95ed5a5d04e3c404be157bb8090e9ada9cdc53ef7e806c1e77b5f10242150a24e9ad' +
  'f991088daf20a75beb54bc91fe43dd8755447fd3abdefb9f1c987a8b0419824504e213f8dd26a9c6b7ed2f2103d8422720f7a7400ce34743' +
  'e4ce40440c69013efea2a39790fcdfccbb424da1d824adfe58071ed76d41af836e4093ea60f5719e250fa214f8631153a81eefc17d82e3f8' +
  '19da57691ed9602550074fdea73ac9e5cfe10f6b91adc31b402c3e370b03a559';
/** Output of `openssl rsa -noout -modulus | sha1sum | cut -c 21-40` for this key. */
const DEBIAN_ENTRY = 'b7ead9492dfd921fc4f9';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weak-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

describe('weak key lists', () => {
  it('contain a key from Debian’s faulty random number generator if it has an openssl-blacklist entry', async () => {
    const lists = await readWeakKeyLists(
      await folderWith({
        'blacklist.RSA-1024': '# RSA-1024\n00005890bc78bcbee3ca\n',
        'blacklist.RSA-2048': `# RSA-2048\n00006aa0ce2cd60e6660\r\n\n${DEBIAN_ENTRY.toUpperCase()}\n`,
        '.hidden': 'not read',
      }),
    );
    expect(lists.size).toBe(3);
    expect(lists.has(fromHex(DEBIAN_MODULUS))).toBe(true);
    expect(lists.has(fromHex(DEBIAN_MODULUS.replace(/9$/, 'b')))).toBe(false);
  });

  it('do not contain the key without its entry', async () => {
    const lists = await readWeakKeyLists(await folderWith({ 'blacklist.RSA-2048': '00006aa0ce2cd60e6660\n' }));
    expect(lists.has(fromHex(DEBIAN_MODULUS))).toBe(false);
  });

  it('are rejected as a whole if a line is malformed, and the error identifies the line', async () => {
    const folder = await folderWith({ list: `${DEBIAN_ENTRY}\n8df20e6961a16398b85a00\n` });
    await expect(readWeakKeyLists(folder)).rejects.toThrow(/list, line 2: must contain 20 hexadecimal digits/);
  });

  it('are rejected if there are none', async () => {
    const folder = await folderWith({ empty: '# nothing\n' });
    await expect(readWeakKeyLists(folder)).rejects.toThrow(/contains no weak key lists/);
    await expect(readWeakKeyLists(join(folder, 'elsewhere'))).rejects.toThrow(/ENOENT/);
  });
});
