#!/usr/bin/env node
// The same program, called by another name: which commands it has follows from that (src/main.ts).
require('./heddle.js');
