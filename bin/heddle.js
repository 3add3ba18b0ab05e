#!/usr/bin/env node
// The installed entry, under each of its names. CommonJS, and everything required where it is used: this is the floor of
// every command's start-up.

const words = process.argv.slice(2);

if (Number(process.versions.node.split('.', 1)[0]) < 24) onNewerNode();
else if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) printVersion();
else run();

function printVersion() {
  require('node:fs').writeSync(1, `${require('../package.json').version}\n`);
}

function run() {
  const { join } = require('node:path');
  require('node:module').enableCompileCache();
  const built = join(__dirname, '../dist/heddle.js');
  const entry = require('node:fs').existsSync(built) ? built : join(__dirname, '../src/main.ts');
  return import(require('node:url').pathToFileURL(entry).href);
}

function onNewerNode() {
  if (require('./own-node.js').handOver(require.main?.filename ?? __filename, words)) return;
  // In a clone, `npm start` installs a Node of its own.
  const isClone = require('node:fs').existsSync(require('node:path').join(__dirname, '../package-lock.json'));
  const todo = isClone ? 'run `npm start` once, which installs one' : 'install a newer Node and try again';
  console.error(`heddle needs Node 24 or newer and this is Node ${process.versions.node}: ${todo}.`);
  process.exitCode = 1;
}
