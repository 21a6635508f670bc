// `signetry completion`: prints a script that completes commands, flags and values in a shell. The script is
// self-contained because starting a program for each completion would be too slow.
import { command, type Command, type Flags } from '../command-line/command.ts';
import { settingFlags } from '../command-line/setting-flags.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { completionPositions, type CommandOffers } from '../completion/positions.ts';
import { zshScript } from '../completion/zsh.ts';
import { printJson } from '../context.ts';
import { EXIT } from '../exit-codes.ts';

const scripts: Readonly<Record<string, (places: readonly CommandOffers[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Creates the command. `commands` returns all commands, including this one. */
export const completion = (commands: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    about: 'Print a shell completion script',
    arguments: [{ name: 'SHELL', about: 'shell to generate the script for', choices: Object.keys(scripts) }],
    details: ['The script contains the commands and flags of this version. Regenerate it after an update.'],
    examples: [
      'signetry completion bash > ~/.local/share/bash-completion/completions/signetry',
      'signetry completion zsh > ~/.zfunc/_signetry    # a directory in $fpath, before compinit runs',
      'signetry completion fish > ~/.config/fish/completions/signetry.fish',
    ],
    async run({ args: [shell = ''], json }, context) {
      const settings: Flags = settingFlags(await context.loadServer());
      const script = scripts[shell]?.(completionPositions(commands(), settings)) ?? '';
      if (json) printJson(context, { shell, script });
      else context.out(script);
      return EXIT.ok;
    },
  });
