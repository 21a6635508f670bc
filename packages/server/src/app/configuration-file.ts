// The configuration file: a single YAML mapping of settings. Each value retains its line number for error messages.
import { readFileSync } from 'node:fs';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { findNearest } from '../kernel/nearest.ts';
import { ConfigurationError } from './configuration-errors.ts';
import { settingNames } from './settings.ts';

export interface FileValue {
  readonly text: string;
  /** `PATH:LINE`, in compiler notation. */
  readonly place: string;
}

export function readConfigurationFile(path: string): ReadonlyMap<string, FileValue> {
  const lines = new LineCounter();
  const document = parseDocument(readContent(path), { lineCounter: lines });
  const positionOf = (offset: number): string => `${path}:${lines.linePos(offset).line}`;
  const [error] = document.errors;
  if (error)
    throw new ConfigurationError(`${positionOf(error.pos[0])}: ${error.message.replace(/ at line [^]*$/, '.')}`);
  if (document.contents === null) return new Map();
  if (!isMap(document.contents))
    throw new ConfigurationError(`${path}:1: the file must contain settings as name: value, one per line.`);
  const values = new Map<string, FileValue>();
  for (const { key, value } of document.contents.items) {
    const node = key as Node; // Keys of a parsed mapping are nodes.
    const name = isScalar(node) ? String(node.value) : '';
    const place = positionOf(node.range?.[0] ?? 0);
    if (!(settingNames as readonly string[]).includes(name)) throw unknownSetting(name, place);
    const text = textOf(value);
    if (text === undefined) throw new ConfigurationError(`${place}: ${name} requires one value or a list of values.`);
    values.set(name, { text, place });
  }
  return values;
}

function readContent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // The fs module throws only `Error` objects.
    throw new ConfigurationError(`Cannot read the configuration file ${path}: ${(error as Error).message}`);
  }
}

function unknownSetting(name: string, place: string): ConfigurationError {
  const guess = findNearest(name, settingNames);
  return new ConfigurationError(
    `${place}: unknown setting ${name}. ${guess === undefined ? `Known: ${settingNames.join(', ')}.` : `Did you mean ${guess}?`}`,
  );
}

function textOf(node: unknown): string | undefined {
  if (isScalar(node)) return node.value === null ? undefined : String(node.value);
  if (!isSeq(node)) return undefined;
  const parts = node.items.map(textOf);
  return parts.every((part) => part !== undefined) ? parts.join(',') : undefined;
}
