// Runs an outside conformance tool against a platform of its own, with our emitted document as the contract.
// Usage: node test/conformance/against-running-server.ts PATH_OF_WIRE_CHECK
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../load/server-process.ts';

const [tool = ''] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'signetry-conformance-'));
const server = await startServerProcess({ directory });
try {
  const args = [
    tool,
    '--contract',
    contractOfEndingAnswers(),
    '--base',
    server.ready.api,
    '--header',
    `Authorization: Bearer ${server.ready.token}`,
  ];
  const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

interface Contract {
  readonly paths: Record<
    string,
    Record<string, { readonly responses?: Record<string, { readonly content?: object }> }>
  >;
}

/** Streams of events never end, and the tool waits for the end of every answer. */
function contractOfEndingAnswers(): string {
  // Emitted by us, hence of this form.
  const contract = JSON.parse(readFileSync('docs/reference/openapi-platform.json', 'utf8')) as Contract;
  for (const operations of Object.values(contract.paths))
    for (const [method, { responses }] of Object.entries(operations))
      if (responses?.['200']?.content && 'text/event-stream' in responses['200'].content) delete operations[method];
  const file = join(directory, 'contract.json');
  writeFileSync(file, JSON.stringify(contract));
  return file;
}
