import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'

// `npm run test:core` loads this first: what needs more than the core belongs into `npm test`.
const refuse = (what: string) => () => {
  throw new Error(`Failed to ${what} in npm run test:core. List the file in test/core-lane.ts.`)
}
Server.prototype.listen = refuse('open a server') as never
Socket.prototype.connect = refuse('connect a socket') as never
Object.assign(ChildProcess.prototype, { spawn: refuse('start a process') })
