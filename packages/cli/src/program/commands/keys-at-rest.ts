// `signetry keys-at-rest …`: shows and rotates the keys that seal secrets in the database.
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
  about: 'Show the keys that encrypt secrets, and the progress of a rotation',
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
    'key-id': { value: 'ID', about: 'Key in the key file to rotate to (default: the new key in the file)' },
    'no-wait': { about: 'Do not wait for completion; the rotation continues in the background' },
  },
  details: [
    'If the platform generated the key file, it also generates the new key. If you use --sealing-key-file, first add the new key as the last line of the file on every node: the platform never seals with a key that a running node does not have.',
    'After the rotation, `signetry keys-at-rest show` shows which lines can be removed.',
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
    : `Sealed with key ${keyId}; waiting for all nodes to use it`;

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
    : `completed ${describeTime(rotation.finishedAt, now)}, ${rotation.done} values`;

function useText({ current, needed, position }: SealingKeyState): string {
  if (current) return 'seals';
  if (needed) return position === undefined ? 'MISSING: restore its line' : 'unseals existing values';
  return position === undefined ? 'gone' : 'not needed: remove its line, or rotate to it';
}
