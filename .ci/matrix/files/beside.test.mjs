import { test } from 'greenhouse-mock/vitest'

test('a world', ({ world }) => world.use('slow'))
