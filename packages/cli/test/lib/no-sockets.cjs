// Loaded before the command: whatever opens a socket, asks for a name or starts a process ends it at once.
const { writeSync } = require('node:fs');

function forbid(name) {
  return () => {
    writeSync(2, `a socket was opened: ${name}\n`);
    process.exit(99);
  };
}

const net = require('node:net');
net.Socket.prototype.connect = forbid('connect');
net.Server.prototype.listen = forbid('listen');
require('node:dgram').createSocket = forbid('dgram');
require('node:dns').lookup = forbid('lookup');
const processes = require('node:child_process');
for (const name of ['spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync'])
  processes[name] = forbid(name);
globalThis.fetch = forbid('fetch');
