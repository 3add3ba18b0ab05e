// The Node that npm installs next to this package, for people who start it on a Node older than 24.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const installed = join(__dirname, '../node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

exports.isNewEnough = Number(process.versions.node.split('.', 1)[0]) >= 24;

/**
 * Lets a file on Node 24 or newer take this process's place. Returns false, at once, when there is none.
 * @param {string} file
 * @param {readonly string[]} words
 */
exports.handOver = (file, words) => {
  const node = existsSync(installed) ? installed : exports.isNewEnough && process.execPath;
  if (!node) return false;
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, file, ...words], process.env);
  actFor(spawn(node, [file, ...words], { stdio: 'inherit' }));
  return true;
};

/**
 * Where a process cannot be replaced: a parent that passes on every signal, and ends as its child ends.
 * @param {import('node:child_process').ChildProcess} child
 */
function actFor(child) {
  // A terminal sends Ctrl-C to the child as well; sending it a second time would look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
