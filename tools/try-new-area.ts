// Tests the scaffold: creates an area in a copy of this clone, then formats, checks and tests it there like any other
// change. For CI; takes one to two minutes.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './source-files.ts';

/** Every resource of the API already has an area, so the copy gets an additional resource. */
const TRIED = 'parcels';

function addResource(copy: string): void {
  const lines = [
    ['contract/src/platform/resource.ts', "  scepProfiles: 'SCEP Profile',", `  ${TRIED}: 'Parcel',`],
    ['contract/src/platform/resource.ts', "  scepProfiles: ['hasObjectAccess', 'hasCustomAttributes'],", `  ${TRIED}: ['hasObjectAccess', 'hasCustomAttributes'],`],
    ['contract/src/platform/resource-actions.ts', '  scepProfiles: enabled,', `  ${TRIED}: enabled,`],
    ['console/src/format/resources.ts', "  scepProfiles: 'SCEP profiles',", `  ${TRIED}: 'parcels',`],
  ] as const; // prettier-ignore
  for (const [file, before, line] of lines) {
    const path = join(copy, 'packages', file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${file} no longer has the line "${before.trim()}".`);
    writeFileSync(path, text.replace(before, `${before}\n${line}`));
  }
}

function copyClone(copy: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((path) => path !== '')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
}

/** Links the libraries of this clone, and the packages of the copy. */
function linkModules(copy: string): void {
  const [modules, own] = [join(ROOT, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(join(own, '@signetry'), { recursive: true });
  for (const entry of readdirSync(modules).filter((name) => !['@signetry', '.cache'].includes(name)))
    symlinkSync(join(modules, entry), join(own, entry));
  for (const name of readdirSync(join(modules, '@signetry')))
    symlinkSync(readlinkSync(join(modules, '@signetry', name)), join(own, '@signetry', name));
}

const copy = mkdtempSync(join(tmpdir(), 'signetry-new-area-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
const run = (...command: readonly [string, ...string[]]): void => {
  console.log(`> ${command.join(' ')}`);
  const [program, ...args] = command;
  // Programs run on the clone's own Node, regardless of the version on the machine.
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  execFileSync(program, args, { cwd: copy, stdio: 'inherit', env: { ...process.env, PATH } });
};

copyClone(copy);
linkModules(copy);
addResource(copy);
// The copy's own program is used because it knows the resource.
const written = execFileSync(process.execPath, ['tools/new-area.ts', TRIED], { cwd: copy, encoding: 'utf8' });
// Replace the hints of the scaffold as a developer would.
for (const path of written.split('\n\n')[0]?.split('\n') ?? []) {
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.replaceAll('__area__', 'purpose of the area').replaceAll('__noun__', 'They'));
}
run('npm', 'run', '--silent', 'format');
run('npm', 'run', '--silent', 'generate');
run(process.execPath, 'tools/check.ts', '--without-tests');
run('node_modules/.bin/vitest', 'run', '--project', 'database', `packages/server/src/areas/${TRIED}`);
console.log(`The scaffold works: the area ${TRIED} was generated, compiled and tested.`);
