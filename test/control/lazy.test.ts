import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../support/process.ts'

/** Every file of the package that is loaded with this one, and the packages that they name. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:^|[;\s}])(?:import|from)\s*["']([^"']+)["']/g))
    if (name!.startsWith('.')) loadedWith(join(dirname(file), name!), seen)
    else seen.add(name!)
  return seen
}

test('loads what answers control calls with the first one, not with the server', () => {
  const loaded = loadedWith(join(dirname(command), 'server.js'))
  expect([...loaded]).toContain('node:http')
  expect([...loaded]).not.toContain('express')
  const hasAnswers = (file: string) =>
    file.startsWith('/') && readFileSync(file, 'utf8').includes('function answerRequest(')
  expect([...loaded].filter(hasAnswers)).toEqual([])
  // The name is there to be found.
  const folder = dirname(command)
  expect(readdirSync(folder).filter((file) => file.endsWith('.js') && hasAnswers(join(folder, file)))).toHaveLength(1)
})
