// Tries the scaffold out: writes an area into a copy of this clone, and has it formatted, checked like any other
// change, and tested there. For CI; takes a minute or two.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { Resource, resourceActions, platformOperations, type Operation } from '@signetry/contract';
import { areaNames } from './new-area/names.ts';
import { writeArea } from './new-area/write-area.ts';
import { ROOT } from './source-files.ts';

/** A resource that has neither operations nor an area yet: what the next area may be about. */
function unservedResource(): Resource {
  const operations: readonly Operation[] = Object.values(platformOperations);
  const served = new Set(operations.flatMap(({ access }) => (typeof access === 'object' ? [access.resource] : [])));
  const hasArea = (resource: Resource): boolean =>
    existsSync(join(ROOT, 'packages/server/src/areas', areaNames(resource)['things-file']));
  const free = Resource.options.find(
    (resource) => resource in resourceActions && !served.has(resource) && !hasArea(resource),
  );
  if (!free) throw new Error('Every resource has its area: there is nothing to try the scaffold with.');
  return free;
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
const names = areaNames(unservedResource());
// What a person would write where the scaffold leaves a hint.
for (const path of writeArea(copy, names)) {
  const text = readFileSync(join(copy, path), 'utf8');
  writeFileSync(join(copy, path), text.replaceAll('__area__', 'what they are for').replaceAll('__noun__', 'They'));
}
run('npm', 'run', '--silent', 'format');
run('npm', 'run', '--silent', 'generate');
run(process.execPath, 'tools/check.ts', '--without-tests');
run('node_modules/.bin/vitest', 'run', '--project', 'database', `packages/server/src/areas/${names['things-file']}`);
console.log(`The scaffold works: an area of ${names.words} was written, compiled and tested.`);
