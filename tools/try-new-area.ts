// Tries the scaffold out: writes an area into a copy of this clone, and has it formatted, checked like any other
// change, and tested there. For CI; takes a minute or two.
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

/** Every resource of the interface has its area, so the copy gets one more. */
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
    if (!text.includes(before)) throw new Error(`${file} has no line "${before.trim()}" any more.`);
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

/** Libraries of this clone, but the packages of the copy. */
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
  // Programs of the clone run on its own Node, whatever the machine has.
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  execFileSync(program, args, { cwd: copy, stdio: 'inherit', env: { ...process.env, PATH } });
};

copyClone(copy);
linkModules(copy);
addResource(copy);
// By the program of the copy, which knows the resource.
const written = execFileSync(process.execPath, ['tools/new-area.ts', TRIED], { cwd: copy, encoding: 'utf8' });
// What a person would write where the scaffold leaves a hint.
for (const path of written.split('\n\n')[0]?.split('\n') ?? []) {
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.replaceAll('__area__', 'what they are for').replaceAll('__noun__', 'They'));
}
run('npm', 'run', '--silent', 'format');
run('npm', 'run', '--silent', 'generate');
run(process.execPath, 'tools/check.ts', '--without-tests');
run('node_modules/.bin/vitest', 'run', '--project', 'database', `packages/server/src/areas/${TRIED}`);
console.log(`The scaffold works: an area of ${TRIED} was written, compiled and tested.`);
