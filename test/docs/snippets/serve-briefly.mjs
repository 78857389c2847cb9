// Runs `greenhouse-mock serve …` on a free port until it is ready, and ends it then as Ctrl-C does.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const own = args.filter((_, place) => args[place] !== '--port' && args[place - 1] !== '--port')
const child = spawn(process.execPath, [command, ...own, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
let printed = ''
child.stdout.on('data', (chunk) => {
  process.stdout.write(chunk)
  printed += chunk
  if (/"event":"ready"|Greenhouse is serving/.test(printed)) child.kill('SIGINT')
})
child.on('exit', (code, signal) => {
  const isReady = /"event":"ready"|Greenhouse is serving/.test(printed)
  if (!isReady) process.stderr.write(`It never was ready: ${signal ?? code}\n`)
  process.exitCode = isReady && code === 0 ? 0 : 1
})
