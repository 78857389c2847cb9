import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTypes, packedProject, root, typedPeers } from './packed.ts'

test("a project gets the names of its scenarios and collections from the package's types", () => {
  const project = packedProject(...typedPeers, 'zod')
  project.write('own.mts', readFileSync(join(root, 'test/package/own-names.ts'), 'utf8'))
  expect(checkTypes(project, 'bundler', 'own.mts')).toBe('')
})
