// Loaded into a server's process with `--import`: tells the test that started it on which port it
// listens.
import { Server } from 'node:net'

const emit = Server.prototype.emit
Server.prototype.emit = function (event, ...rest) {
  if (event === 'listening') process.send({ port: this.address().port })
  return emit.call(this, event, ...rest)
}

// Where there are no signals the test sends their names.
if (process.platform === 'win32') {
  process.on('message', (signal) => process.emit(signal, signal))
  process.channel.unref()
}
