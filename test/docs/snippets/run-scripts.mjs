// Imports the modules named on the command line one after the other, and prints as JSON what each
// of them printed.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const results = []
for (const file of process.argv.slice(2)) {
  const printed = []
  console.log = console.info = (...values) => printed.push(...format(...values).split('\n'))
  let failure = ''
  console.error = console.warn = (...values) => (failure += format(...values) + '\n')
  await import(pathToFileURL(resolve(file)).href).catch(
    (error) => (failure += error.stack ?? String(error)),
  )
  results.push({ printed, failure })
}
// Once nothing is left to do: what a sample left open would keep the process from ending.
process.on('exit', () => process.stdout.write(JSON.stringify(results)))
