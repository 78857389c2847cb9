import { test } from 'vitest'

test('Vitest runs a file, in whose place runner.mjs runs others', () => undefined)
