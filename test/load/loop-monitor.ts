// Loaded into a server before it starts (`--import`): says how much processor time its main thread took at most between
// two turns of the event loop. Unlike the delay of a timer this does not count the time for which the machine gave it
// no processor. SIGUSR2 writes the figure to the file named by LOOP_MONITOR_FILE, in milliseconds, and begins anew.
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env['LOOP_MONITOR_FILE'];
let longestUs = 0;
let before = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longestUs = Math.max(longestUs, user + system);
}, 1).unref();

process.on('SIGUSR2', () => {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, String(longestUs / 1000));
  renameSync(`${file}.new`, file);
  longestUs = 0;
  before = process.threadCpuUsage();
});
