// Flags for the platform's settings, as declared by the server.
import type { ServerModule } from '../platform/server-module.ts';
import type { Flag, Flags } from './command.ts';

export function settingFlags({ configuration }: Pick<ServerModule, 'configuration'>): Flags {
  const settings = configuration({ args: [], environment: {} }).map(({ name, value, about }): [string, Flag] => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    // A setting that is off by default is enabled by a flag without a value.
    if (value === 'false') return [flag, { about }];
    return [flag, { value: 'VALUE', about, ...(value === '' ? {} : { initial: value }) }];
  });
  return { ...Object.fromEntries(settings), config: { value: 'FILE', about: 'Settings file (YAML).' } };
}
