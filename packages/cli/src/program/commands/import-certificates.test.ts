// Certificate import, run against a fake platform.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_IMPORT_REQUEST } from '@signetry/client';
import { describe, expect, it } from 'vitest';
import { run, startFakePlatform, temporaryFolder, type ReceivedRequest, type Reply } from '../testing/fake-platform.ts';

const ROUTE = 'POST /x/v1/certificates/import';
const DER = Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00]);
const block = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;

interface SentBody {
  readonly files: readonly { readonly name: string; readonly content: string }[];
}
const sentBody = (asked: ReceivedRequest): SentBody => asked.body as SentBody; // The command sends this body.
const allImported = (asked: ReceivedRequest): Reply => ({
  body: { imported: sentBody(asked).files.length, known: 0, refused: 0, refusals: [], findings: [] },
});

async function runImport(reply: (asked: ReceivedRequest) => Reply, files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'in', 'deep'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'in', name), content);
  const platform = await startFakePlatform({ [ROUTE]: reply });
  const shown: string[] = [];
  const ran = await run(['certificates', 'import', 'in', '--data', platform.data], {
    cwd: folder,
    status: (text) => void shown.push(text),
  });
  return { ...ran, asked: platform.asked.map(sentBody), shown };
}

describe('certificates import', () => {
  it('sends the files of a folder: text unchanged, all other files in Base64', async () => {
    const files = { 'a.pem': block('AAAA'), 'b.der': DER, 'deep/c.pem': block('BBBB'), '.hidden': 'no' };
    const { code, out, asked, shown } = await runImport(allImported, files);
    expect(code).toBe(0);
    expect(out).toBe('3 files: 3 imported, 0 already known, 0 rejected.');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.files.map(({ content }) => content)).toEqual([
      block('AAAA'),
      DER.toString('base64'),
      block('BBBB'),
    ]);
    expect(asked[0]?.files[0]?.name).toMatch(/in[/\\]a\.pem$/);
    expect(shown[0]).toMatch(/^\[#{8}-{16}\] 1 of 3 files/);
    expect(shown.at(-1)).toBe('');
  });

  it('splits large files between PEM blocks, and reports rejected certificates by their position in the file', async () => {
    const one = block('A'.repeat(1_000_000));
    const refusal = { file: 1, certificate: 1, offset: 0, reason: 'It is malformed.' };
    let requests = 0;
    const reply = (): Reply => {
      requests += 1;
      return {
        body: {
          imported: 0,
          known: 2,
          refused: requests === 2 ? 1 : 0,
          refusals: requests === 2 ? [refusal] : [],
          findings: [{ file: 1, certificates: 2, finding: 'Padding after the end of the DER was ignored.' }],
        },
      };
    };
    const { code, err, out, asked } = await runImport(reply, { 'large.pem': one.repeat(8) });
    expect(asked.every(({ files }) => files.every(({ content }) => content.length <= MAX_IMPORT_REQUEST))).toBe(true);
    expect(asked.flatMap(({ files }) => files.map(({ content }) => content)).join('')).toBe(one.repeat(8));
    expect(code).toBe(1);
    expect(err).toContain(`certificate 7 at character ${6 * one.length}: It is malformed.`);
    expect(err).toMatch(/large\.pem: accepted: Padding after the end of the DER was ignored\. \(4 certificates\)/);
    expect(out).toContain('1 rejected');
  });

  it('retries while the platform is busy, then gives up', async () => {
    let requests = 0;
    const busy = (asked: ReceivedRequest): Reply =>
      (requests += 1) < 3 ? { status: 503, body: { message: 'Busy.' } } : allImported(asked);
    expect((await runImport(busy, { 'a.pem': block('AAAA') })).code).toBe(0);
    expect(requests).toBe(3);
    const never = await runImport(() => ({ status: 503, body: { message: 'Busy.' } }), { 'a.pem': block('AAAA') });
    expect(never).toMatchObject({ code: 1, err: expect.stringContaining('Busy.') });
  });

  it('reports a missing file', async () => {
    const ran = await run(['certificates', 'import', 'nowhere']);
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/Cannot read \S+nowhere\./) });
  });
});
