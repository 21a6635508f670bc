// `signetry keys-at-rest …`: the keys that seal secrets in the database, and their rotation.
import type { KeysAtRest, SealingKeyState } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, renderTable, type Fact } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const POLL_MS = 1_000;

export const showKeysAtRest = command({
  name: 'keys-at-rest show',
  about: 'Show the keys that seal secrets, and how far a rotation is',
  flags: connectionFlags,
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const state = await client.keysAtRest.getKeysAtRest({}, options);
    if (json) printJson(context, state);
    else context.out(stateText(state, context));
    return EXIT.ok;
  },
});

export const rotateKeysAtRest = command({
  name: 'keys-at-rest rotate',
  about: 'Rotate the sealing key and reseal all secrets',
  flags: {
    ...connectionFlags,
    'key-id': { value: 'ID', about: 'Key to change to, of those in the file; the new one there when not given' },
    'no-wait': { about: 'Do not wait for the end: the rotation continues without this command' },
  },
  details: [
    'A key file that the platform made gets a new key. To a file of --sealing-key-file add the new key yourself, as the last line and on every node, before: nothing is sealed with a key that a running node lacks.',
    'When it has ended, `signetry keys-at-rest show` names the lines that may go.',
  ],
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const keyId = flags['key-id'];
    let state = await client.keysAtRest.rotateKeysAtRest({ body: keyId === undefined ? {} : { keyId } }, options);
    let told = '';
    while (!flags['no-wait'] && state.rotation && state.rotation.finishedAt === undefined) {
      const line = progressText(state.rotation);
      if (line !== told) context.err(line);
      told = line;
      await context.pause(POLL_MS, context.signal);
      state = await client.keysAtRest.getKeysAtRest({}, options);
    }
    if (json) printJson(context, state);
    else context.out(stateText(state, context));
    return EXIT.ok;
  },
});

type Rotation = NonNullable<KeysAtRest['rotation']>;

const progressText = ({ keyId, done, total }: Rotation): string =>
  done < total
    ? `Sealing with key ${keyId}: ${done} of ${total}`
    : `Sealed with key ${keyId}; waiting until every node does so`;

function stateText(state: KeysAtRest, { now, colour, width }: Context): string {
  const { rotation, file, keys, nodes } = state;
  const facts: readonly Fact[] = [
    ['Key file', file],
    ['Nodes', String(nodes.length)],
    ['Rotation', rotation && rotationText(rotation, now())],
  ];
  const columns = [
    { title: 'KEY', text: ({ keyId }: SealingKeyState) => keyId },
    { title: 'IN FILE', text: ({ position }: SealingKeyState) => (position === undefined ? 'no' : `key ${position}`) },
    { title: 'USE', text: useText },
  ];
  return `${renderFacts(facts, { colour })}\n\n${renderTable(keys, { columns, colour, width })}`;
}

const rotationText = (rotation: Rotation, now: number): string =>
  rotation.finishedAt === undefined
    ? progressText(rotation)
    : `ended ${describeTime(rotation.finishedAt, now)}, ${rotation.done} values`;

function useText({ current, needed, position }: SealingKeyState): string {
  if (current) return 'seals';
  if (needed) return position === undefined ? 'MISSING: put its line back' : 'opens what it sealed';
  return position === undefined ? 'gone' : 'not needed: its line may go, or a rotation may take it up';
}
