// Runs an outside conformance tool against a platform of its own, with our emitted document as the contract.
// Usage: node test/conformance/against-running-server.ts PATH_OF_WIRE_CHECK
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
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
    'docs/reference/openapi-platform.json',
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
