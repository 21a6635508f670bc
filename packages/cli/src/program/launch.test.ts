// The command line as a process: launcher, Node version check, exit code.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { callerFolder } from './run-process.ts';
import { temporaryFolder } from './testing/fake-platform.ts';

const main = fileURLToPath(new URL('../main.cjs', import.meta.url));
const launcher = fileURLToPath(new URL('../../bin/signetry', import.meta.url));

describe('the entry point', () => {
  it('can be parsed by every Node version: no types, no import statements, no module scope', () => {
    expect(() => new Script(readFileSync(main, 'utf8'))).not.toThrow();
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest).not.toHaveProperty('type');
  });

  it.each(['20.20.2', '22.22.0', '24.20.9'])(
    'states in one sentence that it requires a newer version than Node %s',
    (version) => {
      const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, main, '--version'];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(`^signetry needs Node 24\\.21 or newer and this is Node ${version}: .*npm ci.*\\n$`),
      );
    },
  );
});

describe("the caller's folder", () => {
  it('is where npm was started, if npm runs the command', () => {
    const npm = { npm_lifecycle_event: 'signetry', INIT_CWD: '/home/ann/work' };
    expect(callerFolder(npm, '/clone')).toBe('/home/ann/work');
    expect(callerFolder({ INIT_CWD: '/left/over' }, '/clone')).toBe('/clone');
    expect(callerFolder({}, '/clone')).toBe('/clone');
  });
});

describe('the launcher', () => {
  it('finds the project from any folder and through symbolic links, with the bundled Node', () => {
    const folder = temporaryFolder();
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    symlinkSync(launcher, first);
    symlinkSync('first', second);
    const environment = { PATH: '/usr/bin:/bin' };
    const { status, stdout } = spawnSync(second, ['--version'], { cwd: folder, env: environment, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^signetry \d+\.\d+\.\d+ \(interface \d+\.\d+\.\d+, Node (?:2[4-9]|[3-9]\d)\.\d+\.\d+\)\n$/);
  });

  it('passes on arguments and the exit code', () => {
    const { status, stdout, stderr } = spawnSync(launcher, ['status', '--data', join(temporaryFolder(), 'a b')], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toContain('/a b.');
  });
});
