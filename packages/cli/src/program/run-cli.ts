// Runs a command line and returns its exit code. Does not use `process`, so that tests can call it.
import { INTERFACE_VERSION } from '@signetry/contract';
import { commandHelp, groupHelp, overview } from './command-line/help.ts';
import { commandsBelow, parseInput, selectCommand, unknownCommand } from './command-line/parse.ts';
import { settingFlags } from './command-line/setting-flags.ts';
import type { Command } from './command-line/command.ts';
import { commands } from './commands/index.ts';
import { completeContext, type CliContext, type Context } from './context.ts';
import { variable } from './environment.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { describeFailure, failureLines } from './failures.ts';
import manifest from '../../package.json' with { type: 'json' };

export async function runCli(args: readonly string[], given: CliContext): Promise<ExitCode> {
  const context = completeContext(given);
  try {
    return await dispatch(args, context);
  } catch (error) {
    const trace = variable(context.environment, 'trace') !== undefined;
    context.err(failureLines(error, { trace }).join('\n'));
    return describeFailure(error).exitCode;
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<ExitCode> {
  const selection = selectCommand(args, commands);
  switch (selection.kind) {
    case 'version':
      context.out(`signetry ${manifest.version} (interface ${INTERFACE_VERSION}, Node ${process.versions.node})`);
      return EXIT.ok;
    case 'help':
      context.out(await helpText(selection.words, context));
      return EXIT.ok;
    case 'command':
      return selection.command.run(parseInput(selection.command, selection.args), context);
  }
}

async function helpText(words: readonly string[], context: Context): Promise<string> {
  if (words.length === 0) return overview(commands);
  const exact = commands.find(({ name }) => name === words.join(' '));
  if (exact) return commandHelp(exact, exact.takesSettings ? settingFlags(await context.loadServer()) : {});
  const group = commandsBelow(words, commands);
  if (group.length === 0) throw unknownCommand(words, { commands });
  return groupHelp(group);
}

export const commandTable: readonly Command[] = commands;
