// Loaded into a server before it starts (`--import`). Measures the maximum CPU time of the main thread between two
// turns of the event loop. Unlike a timer delay, this excludes the time in which the thread had no processor. SIGUSR2
// writes the result in milliseconds to the file named by LOOP_MONITOR_FILE, and resets it.
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
